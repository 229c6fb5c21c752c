"""Compares the processor paths of the kernels that this processor has, in turn, on the same traces."""
import json, os, statistics, subprocess

from bars import at_least, told
from replays import run_command
from traces import LIMITS, ROUSE, say

# The least speed of replaying wearable, of zlib's inflate alone; None if no bar is held.
PATHS = {"portable": 0.55, "pclmul": None, "avx2": 0.65, "avx512": None, "avx512vbmi": 0.75, "neon": None}
# The least speed of replaying fitbit, of inflating its scheduling members alone.
FITBIT = {"avx2": 0.40}


def environment(path):
    return {"ROUSE_CPU": path}


def available():
    """The paths of this processor: others are refused."""
    return [path for path in PATHS
            if subprocess.run([ROUSE, "replay", os.devnull], env=os.environ | environment(path), text=True,
                              capture_output=True).stderr.find("ROUSE_CPU") < 0]


def bar(what, figure, least):
    return told(what, figure) if least is None else at_least(what, figure, least)


def measure(wearable, wearable_policy, fitbit, fitbit_policy, inflating_seconds, rounds):
    """The bars of each path."""
    paths = available()
    over, digests = {path: [] for path in paths}, set()
    for _ in range(2 * rounds):
        inflating = inflating_seconds(wearable)
        for path in paths:
            say(f"replaying wearable with {path}")
            # Both are timed with all in caches.
            run_command(wearable, wearable_policy, environment=environment(path))
            run = run_command(wearable, wearable_policy, environment=environment(path))
            over[path].append(inflating / run[1])
            digests.add(run[3]["digest"])
    if len(digests) != 1:
        raise SystemExit(f"wearable: digests of processor paths differ: {', '.join(sorted(digests))}")
    bars = [bar(f"wearable with {path}, of inflating with zlib alone", statistics.median(over[path]), PATHS[path])
            for path in paths]
    for path in paths:
        say(f"measuring fitbit with {path}")
        stages = json.loads(subprocess.run(
            [LIMITS, fitbit, fitbit_policy, str(rounds)], check=True, stdout=subprocess.PIPE,
            env=os.environ | environment(path)).stdout)
        bars.append(bar(f"fitbit with {path}, of inflating its scheduling members alone",
                        stages["replayOverSchedulingInflate"], FITBIT.get(path)))
    return {"bars": bars}
