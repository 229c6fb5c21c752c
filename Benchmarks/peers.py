"""Measures other tools on the events of a trace: libCacheSim, babeltrace2, a plain loop in Python, and Parquet.

Each reads the same samples in its fastest format. They do less than a scheduler, or other work, and show the cost of an
event in a good tool of a related field on this machine:

- libCacheSim (PyPI) replays the types as objects through an LRU cache that holds all of them, from its uncompressed
  binary format, in its native loop, after one warm-up pass;
- babeltrace2 (Debian) reads a CTF trace with time, type, source and kind, and discards the messages;
- the loop in Python counts samples by type and finds the earliest due time, over arrays in memory;
- Parquet (pyarrow, PyPI) stores the same columns, times delta encoded and the others as dictionaries, with gzip; only
  its size is measured.

A tool that is not installed and cannot be installed is skipped, with a message.
"""
import array, json, os, shutil, struct, subprocess, sys, time, venv

from traces import KEPT, ROUSE, fingerprint, kept, leave_out

EVENTS = 2_000_000
PACKET = 65_536

METADATA = """/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
trace {
  major = 1; minor = 8; byte_order = le;
  packet.header := struct { uint32_t magic; uint32_t stream_id; };
};
clock { name = monotonic; freq = 1000000000; };
typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := time_t;
stream {
  id = 0;
  packet.context := struct {
    uint64_t content_size; uint64_t packet_size; time_t timestamp_begin; time_t timestamp_end;
  };
  event.header := struct { uint8_t id; time_t timestamp; };
};
event {
  id = 0; stream_id = 0; name = sample;
  fields := struct { uint32_t type; uint32_t source; uint8_t kind; };
};
"""


def peers_trace():
    """The wearable's first events."""
    return kept("peers", ".wtrace", fingerprint(), lambda path: subprocess.run(
        [ROUSE, "generate", "wearable", "--events", str(EVENTS), "-o", path], check=True))


def samples(trace):
    """The times, types, sources and kinds of a trace's samples."""
    names = ({}, {})
    times, types = array.array("q"), array.array("Q")
    sources, kinds = array.array("Q"), array.array("B")
    lines = subprocess.Popen([ROUSE, "export", trace, "-o", "-"], stdout=subprocess.PIPE)
    for line in lines.stdout:
        event = json.loads(line)
        kind = event["k"]
        if kind not in ("save", "delete"):
            continue
        times.append(event["t"])
        types.append(names[0].setdefault(event["type"], len(names[0])))
        sources.append(names[1].setdefault(event.get("source"), len(names[1])))
        kinds.append(kind == "delete")
    if lines.wait() != 0:
        raise SystemExit(f"rouse export {trace} failed")
    return times, types, sources, kinds


# libCacheSim's oracleGeneral format: time, object, size, next access.
REQUEST = struct.Struct("<IQIq")


def cache_trace(columns, path):
    """The types as requests, a file of libCacheSim."""
    with open(path, "wb") as file:
        first = columns[0][0]
        file.write(b"".join(REQUEST.pack((moment - first) // 1_000_000_000, type + 1, 1, -2)
                            for moment, type in zip(columns[0], columns[1])))


def tracing_trace(columns, folder):
    """A CTF trace in a folder, in packets of as many events as a block of Rouse has."""
    os.makedirs(folder)
    with open(os.path.join(folder, "metadata"), "w") as file:
        file.write(METADATA)
    with open(os.path.join(folder, "stream"), "wb") as file:
        rows = list(zip(*columns))
        for begin in range(0, len(rows), PACKET):
            part = rows[begin:begin + PACKET]
            body = b"".join(struct.pack("<BqIIB", 0, moment, type, source, kind)
                            for moment, type, source, kind in part)
            bits = 8 * (40 + len(body))
            file.write(struct.pack("<IIQQqq", 0xC1FC1FC1, 0, bits, bits, part[0][0],
                                   max(row[0] for row in part)) + body)


def python_with(module):
    """A Python with a module of PyPI, in a virtual environment; None if it cannot be installed."""
    folder = os.path.join(KEPT, "peers")
    python = os.path.join(folder, "bin", "python")
    has = [python, "-c", f"import {module}"]
    if not os.path.exists(python):
        try:
            venv.create(folder, with_pip=True, clear=True)
        except subprocess.CalledProcessError:
            # On Debian this needs the package python3-venv.
            return None
    if subprocess.run(has, stderr=subprocess.DEVNULL).returncode:
        install = subprocess.run([python, "-m", "pip", "install", "--quiet", module],
                                 stdout=sys.stderr, stderr=subprocess.DEVNULL)
        if install.returncode or subprocess.run(has, stderr=subprocess.DEVNULL).returncode:
            return None
    return python


SIMULATE = """
import libcachesim, sys, time
reader = libcachesim.TraceReader(sys.argv[1], libcachesim.TraceType.ORACLE_GENERAL_TRACE)
# The time of the thread with the loop, as some imported modules start busy threads.
for _ in range(2):
    reader.reset()
    cache = libcachesim.LRU(cache_size=int(sys.argv[2]))
    begin = time.thread_time()
    missed, _ = cache.process_trace(reader)
    seconds = time.thread_time() - begin
print(missed, seconds)
"""


def simulate(python, path, types):
    """Processor time in seconds of a second pass through a cache, in which each type misses once."""
    out = subprocess.run([python, "-c", SIMULATE, path, str(types)], check=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    missed, seconds = map(float, out.stdout.split()[-2:])
    requests = os.path.getsize(path) // REQUEST.size
    if round(missed * requests) != types:
        raise SystemExit(f"libCacheSim missed {missed:.3%} of {requests} requests for {types} types")
    return seconds


STORE = """
import json, pyarrow, pyarrow.parquet, sys
columns = dict(zip(("time", "type", "source", "kind"), json.load(sys.stdin)))
table = pyarrow.table({"time": pyarrow.array(columns.pop("time"), pyarrow.int64()), **columns})
sink = pyarrow.BufferOutputStream()
pyarrow.parquet.write_table(table, sink, compression="gzip", compression_level=int(sys.argv[1]),
                            use_dictionary=list(columns), column_encoding={"time": "DELTA_BINARY_PACKED"})
print(len(sink.getvalue()))
"""


def parquet_size(python, columns, level):
    """The size of a Parquet file of the columns, in bytes."""
    out = subprocess.run([python, "-c", STORE, str(level)], check=True, stdout=subprocess.PIPE, text=True,
                         input=json.dumps([column.tolist() for column in columns]))
    return int(out.stdout)


def read_messages(folder):
    """Processor time in seconds of babeltrace2 for all messages."""
    process = subprocess.Popen(["babeltrace2", folder, "--output-format=dummy"],
                               stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"babeltrace2 ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def loop(columns):
    """Processor time in seconds of a plain loop."""
    times, types = columns[0], columns[1]
    counts = [0] * (max(types) + 1)
    due = 1 << 62
    begin = time.process_time()
    for moment, type in zip(times, types):
        if moment >= due:
            due = moment + 3_600_000_000_000
        counts[type] += 1
    return time.process_time() - begin


class Peers:
    """The available tools, with their files."""

    def __init__(self):
        trace = peers_trace()
        self.columns = samples(trace)
        # Of the same samples: as a trace, and as Parquet, at zlib's level 6.
        self.sizes = {"rouse": os.path.getsize(trace)}
        self.runs = {"a plain loop in Python": lambda: loop(self.columns)}
        python = python_with("pyarrow")
        if python is None:
            leave_out("Parquet", "as pyarrow cannot be installed from PyPI")
        else:
            self.sizes["Parquet"] = parquet_size(python, self.columns, 6)
        python = python_with("libcachesim")
        if python is None:
            leave_out("libCacheSim", "as it cannot be installed from PyPI")
        else:
            path = kept("peers", ".oracleGeneral", fingerprint(),
                        lambda path: cache_trace(self.columns, path))
            types = len(set(self.columns[1]))
            self.runs["libCacheSim, LRU"] = lambda: simulate(python, path, types)
        if shutil.which("babeltrace2") is None:
            leave_out("babeltrace2", "as it is not installed (Debian's babeltrace2)")
        else:
            folder = kept("peers", ".ctf", fingerprint(),
                          lambda path: tracing_trace(self.columns, path))
            self.runs["babeltrace2, CTF"] = lambda: read_messages(folder)

    def speeds(self):
        """Events a second of processor time, of one run of each."""
        return {name: len(self.columns[0]) / run() for name, run in self.runs.items()}
