"""Replays what woke apps.

    import rouse
    replay = rouse.replay("day.wtrace", "watchos")
    replay.wakes().to_polars()

Tables are taken by pandas, polars, DuckDB and others without a copy. What the tables and results mean is told on the
pages Tables, Replaying, Sweeps and JSONOutput of WakeReplay in the repository.
"""
from ._command import Error, command, run
from ._replay import Replay, Why, import_health, replay, samples
from ._table import Table
from .fleets import Fleet, fleet

__all__ = ["Error", "Fleet", "Replay", "Table", "Why", "command", "fleet", "import_health", "replay", "run", "samples"]
__version__ = "0.1.0"
