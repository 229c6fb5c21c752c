"""Measured values, and what is asked of them."""


def at_most(what, figure, most):
    """A bar: the measured value, and whether it is low enough."""
    return {"what": what, "figure": figure, "bar": f"at most {most}", "met": figure <= most}


def at_least(what, figure, least):
    """A bar: the measured value, and whether it is high enough."""
    return {"what": what, "figure": figure, "bar": f"at least {least}", "met": figure >= least}


def told(what, figure):
    """A measured value without a bar."""
    return {"what": what, "figure": figure, "bar": "not held", "met": True}
