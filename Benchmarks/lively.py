"""Random inputs and policies in which much happens at once, for `reports`."""
import random

SECOND = 10 ** 9
KINDS = {"save": 40, "delete": 4, "enable": 12, "disable": 2, "disableAll": .3, "complete": 14, "launch": 3,
         "background": 3, "terminate": 2, "forceQuit": 1, "push": 5, "refreshInterval": 2, "network": 1, "power": 1,
         "lock": 2, "unlock": 4, "reboot": .5}
TYPES = ["HKQuantityTypeIdentifierStepCount", "T1", "T2"]


def inputs(seed):
    """Lines for `rouse import jsonl`."""
    draw, lines, time = random.Random(seed), [], 1767225600 * SECOND
    for place in range(draw.choice([80, 160])):
        time += draw.choice([0, 0, SECOND, 5 * SECOND, 30 * SECOND, 60 * SECOND, 600 * SECOND, 3600 * SECOND,
                             draw.randrange(7200 * SECOND)])
        kind = draw.choices(list(KINDS), list(KINDS.values()))[0]
        app, name = draw.choice("abc"), draw.choice(TYPES)
        line = {"t": time, "k": kind}
        if kind in ("save", "delete"):
            line |= {"type": name, "source": "s"}
        elif kind in ("network", "power"):
            line["good"] = draw.random() < .6
        elif kind not in ("lock", "unlock", "reboot"):
            line["app"] = app
        if kind in ("enable", "disable"):
            line["type"] = name
        if kind == "enable":
            line["frequency"] = draw.choice(["immediate", "immediate", "hourly", "daily"])
        if kind == "complete" and draw.random() < .4:
            line["item"] = draw.choice(TYPES + ["push", "refresh"])
        if kind == "push":
            line["id"] = f"p{place}"
        if kind == "refreshInterval":
            line["interval"] = draw.choice([900, 1800, 7200, "never"])
        lines.append(line)
    return lines


def policy(seed):
    """A policy file's object."""
    draw, found = random.Random(seed + 1), {}
    if draw.random() < .5:
        found["preset"] = "watchos"
    if draw.random() < .5:
        found["behaviour"] = {"completesAfter": draw.choice([0, 1, 2.5, 29, 31]), "coldStart": draw.choice([0, 2]),
                              "ignoresEvery": draw.choice([0, 2, 3])}
    if draw.random() < .3:
        found["carry"] = draw.choice(["due", "always", "launch"])
    if draw.random() < .3:
        found["backoffMax"] = draw.choice([0, 90])
    if draw.random() < .3:
        found["maxStrikes"] = draw.choice([2, 5])
    if draw.random() < .3:
        found["subscriptions"] = [{"app": "b", "type": "T1", "frequency": "immediate"}]
    return found
