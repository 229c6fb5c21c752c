"""Measures the cost of an event and the memory of a replay for traces of 10^5 to 10^9 events.

Traces come from `rouse generate wearable` at level 1 and are replayed by the command; the longest is written to disk
block by block and removed afterwards (2.5 GB). The cost is processor time, less the constant part: that of a trace of
10^3 events, which has nearly all names. Short traces are replayed many times in one process, which keeps its memory,
as one replay takes less time than the start of a process. Costs are compared with that of 10^8 events right before
and after, as the speed of the machine varies. Latencies are not sampled, as short traces are sampled more often. The
digests of the traces are the same on every machine.
"""
import os, shutil, statistics, subprocess

from replays import run_command
from traces import KEPT, ROUSE, remove, say

DIGESTS = {1_000: "20e6a7eeffe31d50", 100_000: "af18d2f14544ed1f", 1_000_000: "110287f15f125aa1",
           10_000_000: "9f0138986ea7fc37", 100_000_000: "3436f528dc9bb30c",
           1_000_000_000: "c429baf166828c28"}
START, *SIZES = sorted(DIGESTS)
# The reference size. The longest trace is compared in this number of rounds only.
MEASURE, LONG, LONG_ROUNDS = SIZES[-2], SIZES[-1], 3
# The least number of events that a process replays.
EVENTS = 50_000_000
# The process keeps its memory between replays, so that pages are not faulted in again.
KEEPING_MEMORY = {"GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=1073741824:"
                                    "glibc.malloc.trim_threshold=1073741824"}
# The disk space for the traces in bytes, with a reserve.
SPACE = 4 << 30


def replay(trace, policy, digest, repeats):
    """Processor time in seconds, and peak memory in bytes."""
    _, seconds, _, result = run_command(
        trace, policy, "--no-latency", "--repeat", str(repeats), environment=KEEPING_MEMORY)
    if result["digest"] != digest:
        raise SystemExit(f"{trace}: the digest is {result['digest']} instead of {digest}")
    return seconds, result["performance"]["peakMemoryBytes"]


def measure(policy, rounds):
    """Nanoseconds an event by number of events, those of a start, and peak memory; None without disk space."""
    if shutil.disk_usage(KEPT).free < SPACE:
        return None
    folder = os.path.join(KEPT, "growth")
    remove(folder)
    os.makedirs(folder)
    try:
        traces = {events: os.path.join(folder, f"{events}.wtrace") for events in DIGESTS}
        for events, trace in traces.items():
            say(f"making a trace of {events:,} events")
            subprocess.run([ROUSE, "generate", "wearable", "--events", str(events), "--level", "1",
                            "-o", trace], check=True, stderr=subprocess.DEVNULL)
        return replay_all(traces, policy, rounds)
    finally:
        remove(folder)


def replay_all(traces, policy, rounds):
    ratios, measured, peaks = {events: [] for events in SIZES if events != MEASURE}, [], []

    def run(events, repeats):
        seconds, peak = replay(traces[events], policy, DIGESTS[events], repeats)
        peaks.append(peak)
        return seconds

    def cost(events):
        """Processor time of an event in seconds."""
        repeats = max(1, EVENTS // events)
        return (run(events, repeats) - run(START, repeats)) / repeats / (events - START)

    for number in range(rounds):
        say(f"replaying them, round {number + 1} of {rounds}")
        before = cost(MEASURE)
        for events in ratios:
            if events == LONG and number >= LONG_ROUNDS:
                continue
            found, after = cost(events), cost(MEASURE)
            ratios[events].append(2 * found / (before + after))
            measured.append(before)
            before = after
    nanoseconds = {MEASURE: 1e9 * statistics.median(measured)}
    for events, found in ratios.items():
        nanoseconds[events] = nanoseconds[MEASURE] * statistics.median(found)
    return {"nanoseconds": dict(sorted(nanoseconds.items())), "peakBytes": max(peaks),
            "digests": DIGESTS}
