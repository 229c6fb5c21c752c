#!/usr/bin/env python3
"""Prints a public data set as inputs in JSON Lines (page Rules, section 2).

    Traces/real/to_jsonl.py fitbit|azure-vm-noise|scoop-main|vcpkg --folder FOLDER [--limit N] [--sync SECONDS]

FOLDER holds NAME.csv.xz; README.md tells the sets' origins and checksums.

--sync S  makes a device save in bursts, as a wearable does when it syncs: every sample is saved at the next
          multiple of S seconds after it was measured (start and end remain the measured times).
"""
import argparse, lzma, os, sys

NS = 1_000_000_000
FITBIT = ["HKQuantityTypeIdentifierHeartRate", "HKQuantityTypeIdentifierActiveEnergyBurned",
          "HKQuantityTypeIdentifierAppleExerciseTime", "HKQuantityTypeIdentifierPhysicalEffort",
          "HKQuantityTypeIdentifierStepCount"]


def rows(folder, name):
    with lzma.open(os.path.join(folder, name + ".csv.xz"), "rt") as f:
        next(f)
        for line in f:
            yield line.rstrip("\n").split(",")


def fitbit(folder, sync):
    """33 people's trackers, one device each: heart rate by the second, four more types by the minute."""
    def events():
        for t, user, kind, value in rows(folder, "fitbit"):
            measured = int(t) * NS
            saved = measured if not sync else (measured // (sync * NS) + 1) * sync * NS
            yield saved, user, kind, value, measured
    stream = events()
    if sync:
        stream = sorted(stream, key=lambda e: e[0])
    for saved, user, kind, value, measured in stream:
        extra = ',"start":%d,"end":%d' % (measured, measured) if sync else ""
        yield '{"t":%d,"device":"tracker-%s","k":"save","type":"%s","source":"Tracker %s"%s,"value":%s}' % (
            saved, user, FITBIT[int(kind)], user, extra, value)


def azure(folder):
    """Measurements of 12 long-lived virtual machines, 107 types, millisecond times, several at one instant."""
    for t, source, kind in rows(folder, "azure-vm-noise"):
        yield '{"t":%d,"k":"save","type":"com.example.metric.%s","source":"vm-%s"}' % (int(t) * 1_000_000, kind, source)


def git(folder, name):
    """The history of a package repository: a file added = save, removed = delete, changed = delete and save."""
    out = []
    for _, _, t, _, source, kind, _, op in rows(folder, name):
        for k in {"A": ("save",), "M": ("delete", "save"), "D": ("delete",)}.get(op, ("save",)):
            out.append((int(t) * NS, k, kind, source))
    out.sort(key=lambda e: e[0])
    for t, k, kind, source in out:
        yield '{"t":%d,"k":"%s","type":"com.example.file.%s","source":"author-%s"}' % (t, k, kind, source)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("name", choices=["fitbit", "azure-vm-noise", "scoop-main", "vcpkg"])
    ap.add_argument("--limit", type=int, default=0)
    ap.add_argument("--sync", type=int, default=0)
    ap.add_argument("--folder", required=True)
    a = ap.parse_args()
    if a.name == "fitbit":
        lines = fitbit(a.folder, a.sync)
    elif a.name == "azure-vm-noise":
        lines = azure(a.folder)
    else:
        lines = git(a.folder, a.name)
    write = sys.stdout.write
    try:
        for n, line in enumerate(lines, 1):
            write(line + "\n")
            if n == a.limit:
                break
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


if __name__ == "__main__":
    main()
