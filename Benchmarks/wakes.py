"""What a wake costs, from its save to its answer: three benchmarks of rouse-bench, by the number of apps.

`coalescer/busy` has apps that are unlike, and wakes are only counted; `coalescer/told` has them told as they
begin and end. So has `scheduler/wakes`, the public interface, with apps that are alike. Times are medians over
samples, on the processor.
"""
import json, statistics, subprocess

from traces import BENCH, ROOT, say

BENCHMARKS = {"coalescer/busy": "unlike, wakes only counted",
              "coalescer/told": "unlike, each wake told as it begins and ends",
              "scheduler/wakes": "alike, each wake told as it begins and ends"}


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
    """What the apps of a benchmark are, as `coalescer/busy/10`."""
    kind, _, apps = name.rpartition("/")
    return f"{int(apps):,} app{'s' if apps != '1' else ''}, {BENCHMARKS[kind]} (`{name}`)"
