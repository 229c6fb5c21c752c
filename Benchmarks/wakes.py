"""Measures the cost of a wake, from its save to its answer, by three benchmarks and the number of apps.

In `coalescer/busy` apps differ, and wakes are only counted. In `coalescer/told` each wake is reported when it begins
and ends. `scheduler/wakes`, the public interface, reports them too, with apps that are alike. Times are medians of
processor time over samples.
"""
import json, statistics, subprocess

from traces import BENCH, ROOT, say

BENCHMARKS = {"coalescer/busy": "unlike, wakes only counted",
              "coalescer/told": "unlike, each wake reported when it begins and ends",
              "scheduler/wakes": "alike, each wake reported when it begins and ends"}


def measure():
    """Nanoseconds a wake by the name of the benchmark."""
    say("measuring wakes")
    results = json.loads(subprocess.run(
        [BENCH, "run", *BENCHMARKS, "--json"], cwd=ROOT, check=True,
        stdout=subprocess.PIPE).stdout)["results"]
    return {"per": "a wake", "nanoseconds": {
        result["name"]: statistics.median(sample["processorNanoseconds"] / sample["operations"]
                                          for sample in result["samples"])
        for result in results}}


def title(name):
    """A description of the apps of a benchmark such as `coalescer/busy/10`."""
    kind, _, apps = name.rpartition("/")
    return f"{int(apps):,} app{'s' if apps != '1' else ''}, {BENCHMARKS[kind]} (`{name}`)"
