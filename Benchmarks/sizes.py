#!/usr/bin/env python3
"""Compares the size of fitbit's trace with other formats, in bytes an event.

    Benchmarks/sizes.py [--json] [--no-build] [--fresh] [--install]

Each format with and without the samples' values, and its rows in two orders: by time (and device, where times
are equal), and by device, as a trace holds them:

- the trace of `rouse import` with its default level: the part that scheduling needs, and all;
- CSV under `xz -6`: columns t (seconds), user, type and value;
- Parquet by pyarrow with gzip (6) and zstd (3): t and user as 64-bit integers, type as an 8-bit one, value
  as a double or 64-bit integer as pyarrow reads it; with pyarrow's default encoding, and with t delta
  encoded and the others as dictionaries.

pyarrow is used if python can import it; `--install` installs it into `.build/benchmarks/python` by pip, and without
it the rows of Parquet are skipped with a message. The sizes of the other formats are cached in `.build/benchmarks`;
`--fresh` measures them again (some minutes). fitbit is `Traces/real/fitbit.wtrace`, encoded again. Exit status 1 if the
trace misses a bar, or is larger than another format with the same columns.
"""
import argparse, io, json, lzma, os, subprocess, sys, venv, zlib

from traces import FITBIT, KEPT, ROUSE, build, fitbit_trace, info, say

PYTHON = os.path.join(KEPT, "python")


def pyarrow():
    """pyarrow's modules, or None."""
    try:
        import pyarrow, pyarrow.csv, pyarrow.parquet
        return pyarrow
    except ImportError:
        return None


def install():
    """Restarts in a virtual environment that has pyarrow."""
    if pyarrow() is not None:
        return
    python = os.path.join(PYTHON, "bin", "python3")
    if not os.path.exists(python):
        venv.create(PYTHON, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "pyarrow"], check=True,
                   stdout=sys.stderr)
    arguments = [argument for argument in sys.argv if argument != "--install"]
    os.execv(python, [python] + arguments)


def csv_texts():
    """The data set as CSV: (order, whether with values, bytes)."""
    head, types, devices = b"t,user,type,value\n", {}, {}
    exported = subprocess.Popen([ROUSE, "export", FITBIT], stdout=subprocess.PIPE)
    for line in exported.stdout:
        event = json.loads(line)
        user = event["device"].removeprefix("tracker-")
        kind = types.setdefault(event["type"], len(types))
        devices.setdefault(user, []).append(
            b"%d,%s,%d,%s\n" % (event["t"] // 10**9, user.encode(), kind,
                                json.dumps(event["value"]).encode()))
    if exported.wait() != 0:
        raise SystemExit(f"{FITBIT} cannot be exported")
    by_device = [line for device in devices.values() for line in device]
    lines = sorted(by_device, key=lambda line: int(line.partition(b",")[0]))
    for order, rows in (("by time", lines), ("by device", by_device)):
        yield order, True, head + b"".join(rows)
        yield order, False, b"t,user,type\n" + b"".join(
            row.rpartition(b",")[0] + b"\n" for row in rows)


def parquet_sizes(arrow, text):
    """The sizes of Parquet files of the text's rows: (name, bytes)."""
    table = arrow.csv.read_csv(io.BytesIO(text), convert_options=arrow.csv.ConvertOptions(
        column_types={"type": arrow.int8()}))
    others = [name for name in table.column_names if name != "t"]
    for codec, level in (("gzip", 6), ("zstd", 3)):
        for encoding, options in (
                ("", {}),
                (", t delta encoded", {"use_dictionary": others,
                                       "column_encoding": {"t": "DELTA_BINARY_PACKED"}})):
            sink = io.BytesIO()
            arrow.parquet.write_table(table, sink, compression=codec, compression_level=level,
                                      **options)
            yield f"Parquet, {codec} {level}{encoding}", sink.tell()


def peers():
    """The sizes of the other formats: {name: {"by time, with values": bytes}}."""
    arrow = pyarrow()
    sizes = {}
    for order, with_values, text in csv_texts():
        column = f"{order}, {'with' if with_values else 'without'} values"
        say(f"compressing {column}")
        sizes.setdefault("CSV", {})[column] = len(text)
        sizes.setdefault("CSV, xz -6", {})[column] = len(lzma.compress(text, preset=6))
        if arrow is not None:
            for name, size in parquet_sizes(arrow, text):
                sizes.setdefault(name, {})[column] = size
    return sizes


def kept_peers(fresh):
    """``peers()``, cached for each data set and version of pyarrow and of this script."""
    arrow = pyarrow()
    version = arrow.__version__ if arrow is not None else "none"
    path = os.path.join(KEPT, f"fitbit-sizes-pyarrow-{version}.json")
    with open(os.path.abspath(__file__), "rb") as file:
        version_key = [zlib.crc32(file.read()), os.path.getsize(FITBIT), version]
    if not fresh and os.path.exists(path):
        with open(path) as file:
            saved = json.load(file)
        if saved["mark"] == version_key:
            return saved["sizes"]
    sizes = peers()
    with open(path, "w") as file:
        json.dump({"mark": version_key, "sizes": sizes}, file)
    return sizes


def trace_sizes():
    """The trace's number of events, and its size by columns."""
    told = info(fitbit_trace())
    return told["events"], {
        "by device, without values": told["bytes"] - told["detailBytes"],
        "by device, with values": told["bytes"]}


COLUMNS = [f"{order}, {values} values"
           for values in ("without", "with") for order in ("by time", "by device")]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--no-build", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--install", action="store_true", help="install pyarrow by pip")
    arguments = parser.parse_args()
    if arguments.install:
        install()
    if pyarrow() is None:
        say("LEFT OUT: Parquet, as python cannot import pyarrow; --install installs it")
    if not arguments.no_build:
        build()
    events, trace = trace_sizes()
    sizes = {"Rouse": trace, **kept_peers(arguments.fresh)}
    figures = {name: {column: size / events for column, size in row.items()}
               for name, row in sizes.items()}

    bars = [("without", 0.2), ("with", 1.0)]
    misses = []
    for values, bar in bars:
        own = figures["Rouse"][f"by device, {values} values"]
        if own > bar:
            misses.append(f"{own:.4f} bytes an event {values} values, the bar is {bar}")
        for name, row in figures.items():
            least = min(size for column, size in row.items() if column.endswith(f", {values} values"))
            if least < own:
                misses.append(f"{name} takes {least:.4f} {values} values, the trace {own:.4f}")

    if arguments.json:
        print(json.dumps({"events": events, "bytesPerEvent": figures, "misses": misses}, indent=2))
    else:
        print(f"fitbit, {events:,} events; bytes an event\n")
        print(f"{'':<36}{'without values':>24}{'with values':>24}")
        print(f"{'':<36}{'by time':>12}{'by device':>12}{'by time':>12}{'by device':>12}")
        for name, row in figures.items():
            cells = "".join(f"{row[column]:>12.4f}" if column in row else f"{'-':>12}"
                            for column in COLUMNS)
            print(f"{name:<36}{cells}")
        print("\nbars: " + ", ".join(f"{values} values at most {bar}" for values, bar in bars))
        for miss in misses:
            print(f"MISSED: {miss}")
    return 1 if misses else 0


if __name__ == "__main__":
    sys.exit(main())
