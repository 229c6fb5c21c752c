"""What an event costs to replay as traces grow, from 10^5 to 10^9 events, and the memory that it takes.

Traces are those of `rouse generate wearable` at level 1, replayed as commands: the longest once, written to
disk block by block and removed afterwards (2.5 GB), the others in turn, so that what slows the machine meets
all alike. What counts is time on the processor, less what does not grow: the start of a process and the
first touch of its memory, told apart by replays of 10^5 and of 2 * 10^5 events. No latencies are sampled, as
that is done more often in short traces. The digests are those of the traces, which are the same everywhere.
"""
import os, shutil, statistics, subprocess

from replays import run_command
from traces import KEPT, ROUSE, remove, say

SHORT, LONG = 100_000, 1_000_000_000
# For each size after how many replays of the shortest one of it follows, and the digest.
EVERY = {SHORT: (1, "af18d2f14544ed1f"), 2 * SHORT: (1, "af18d2f14544ed1f"),
         1_000_000: (2, "110287f15f125aa1"), 10_000_000: (10, "9f0138986ea7fc37"),
         100_000_000: (40, "3436f528dc9bb30c"), LONG: (None, "c429baf166828c28")}
# Replays of the shortest in a round.
TURNS = 40
# Bytes that the traces take, with some to spare.
SPACE = 4 << 30


def replay(trace, policy, digest):
    """Seconds on the processor and the peak memory in bytes."""
    _, seconds, _, result = run_command(trace, policy, "--no-latency")
    if result["digest"] != digest:
        raise SystemExit(f"{trace}: the digest is {result['digest']} instead of {digest}")
    return seconds, result["performance"]["peakMemoryBytes"]


def measure(policy, rounds):
    """Nanoseconds an event by the number of events, those of a start, and peak memory; None without room."""
    if shutil.disk_usage(KEPT).free < SPACE:
        return None
    folder = os.path.join(KEPT, "growth")
    remove(folder)
    os.makedirs(folder)
    try:
        traces = {events: os.path.join(folder, f"{events}.wtrace") for events in EVERY}
        for events, trace in traces.items():
            say(f"making a trace of {events:,} events")
            subprocess.run([ROUSE, "generate", "wearable", "--events", str(events), "--level", "1",
                            "-o", trace], check=True, stderr=subprocess.DEVNULL)
        return replay_all(traces, policy, rounds)
    finally:
        remove(folder)


def replay_all(traces, policy, rounds):
    costs, starts, peaks = {events: [] for events in traces if events != 2 * SHORT}, [], []
    for number in range(rounds):
        say(f"replaying them, round {number + 1} of {rounds}")
        runs = {events: [] for events in traces}
        for turn in range(1, TURNS + 1):
            for events, (every, digest) in EVERY.items():
                if turn % every == 0 if every else (turn, number) == (TURNS, rounds // 2):
                    seconds, peak = replay(traces[events], policy, digest)
                    runs[events].append(seconds)
                    peaks.append(peak)
        # Neighbours, so that the machine's speed is the same for both.
        more = statistics.median(
            longer - shorter for shorter, longer in zip(runs[SHORT], runs[2 * SHORT]))
        starts.append(statistics.median(runs[SHORT]) - more)
        for events in costs:
            if runs[events]:
                costs[events].append((statistics.median(runs[events]) - starts[-1]) / events)
    return {"nanoseconds": {events: 1e9 * statistics.median(cost) for events, cost in costs.items()},
            "startMilliseconds": 1e3 * statistics.median(starts), "peakBytes": max(peaks),
            "digests": {events: digest for events, (_, digest) in EVERY.items()}}
