"""The traces that the benchmarks measure on, and the binaries that make them.

Traces are kept in `.build/benchmarks` until the sources that make them change.
"""
import hashlib, json, os, shutil, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
KEPT = os.path.join(ROOT, ".build", "benchmarks")
BINARIES = os.path.join(ROOT, ".build", "release")
STATIC = os.path.join(ROOT, ".build", "static")
ROUSE = os.path.join(STATIC, "release", "rouse")
LIMITS = os.path.join(BINARIES, "rouse-limits")
BENCH = os.path.join(BINARIES, "rouse-bench")
LIBDEFLATE = os.path.join(ROOT, ".build", "libdeflate")
ROUSE_LIBDEFLATE = os.path.join(LIBDEFLATE, "release", "rouse")
FITBIT = os.path.join(ROOT, "Traces", "real", "fitbit.wtrace")


def say(text):
    print(text, file=sys.stderr, flush=True)


# What was to be measured here, and could not be.
LEFT_OUT = []


def leave_out(what, reason):
    """Tells loudly that something is left out, and keeps it for the end."""
    say(f"LEFT OUT: {what}, {reason}")
    LEFT_OUT.append(what)


RELEASE = ["swift", "build", "-c", "release", "--static-swift-stdlib"]
# As the README builds what is released.
COMMAND = [*RELEASE, "-Xswiftc", "-static-executable", "--product", "rouse"]


def build():
    # What counts allocations takes malloc's place, which a program with the C library in it does not allow.
    for command in ([*COMMAND, "--scratch-path", STATIC],
                    *([*RELEASE, "-Xlinker", "-no-pie", "--product", os.path.basename(program)]
                      for program in (LIMITS, BENCH))):
        subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr)


def missing_programs():
    """Those that `build` makes and that are not there."""
    return [os.path.relpath(program, ROOT) for program in (ROUSE, LIMITS, BENCH)
            if not os.path.exists(program)]


def build_libdeflate():
    """Builds `rouse` with the package trait LibDeflate; False where libdeflate is not installed."""
    if not os.path.exists("/usr/include/libdeflate.h"):
        return False
    subprocess.run([*COMMAND, "--traits", "LibDeflate", "--scratch-path", LIBDEFLATE], cwd=ROOT,
                   check=True, stdout=sys.stderr)
    return True


def fingerprint(*others):
    """Of all that decides a trace's bytes."""
    paths = list(others)
    for target in ("WakeEvents", "WakeTrace", "WakeImport", "rouse"):
        for folder, _, names in os.walk(os.path.join(ROOT, "Sources", target)):
            paths += [os.path.join(folder, name) for name in names if name.endswith(".swift")]
    digest = hashlib.sha256()
    for path in sorted(paths):
        with open(path, "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()[:12]


def remove(path):
    """Removes a file or folder, if there is one."""
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.remove(path)


def kept(name, suffix, mark, make):
    """The path of a file or folder that `make(path)` makes, unless one of that mark is there."""
    os.makedirs(KEPT, exist_ok=True)
    path = os.path.join(KEPT, f"{name}-{mark}{suffix}")
    if not os.path.exists(path):
        for old in os.listdir(KEPT):
            if old.startswith(name + "-") and old.endswith(suffix):
                remove(os.path.join(KEPT, old))
        say(f"making {os.path.relpath(path, ROOT)}")
        partial = path + ".partial"
        remove(partial)
        make(partial)
        os.replace(partial, path)
    return path


def info(trace, rouse=ROUSE):
    """What `rouse info` tells of a trace."""
    return json.loads(subprocess.run([rouse, "info", "--json", trace], check=True,
                                     stdout=subprocess.PIPE).stdout)[0]


def fitbit_trace():
    """The path of fitbit's trace as `rouse` encodes it today, at the level that imports have by default."""
    return kept("fitbit", ".wtrace", fingerprint(FITBIT), lambda path: subprocess.run(
        [ROUSE, "repack", FITBIT, "--level", "6", "-o", path], check=True))


def wearable_trace():
    """The path of a generated trace: 10 million samples of a wearable."""
    return kept("wearable", ".wtrace", fingerprint(), lambda path: subprocess.run(
        [ROUSE, "generate", "wearable", "-o", path], check=True))


def wearable_policy(trace, path=os.path.join(KEPT, "wearable-policy.json"), rouse=ROUSE):
    """The path of a policy of one app, hourly on every type of the trace, whose answers are modelled."""
    policy = {"behaviour": {"completesAfter": 2, "coldStart": 1},
              "subscriptions": [{"app": "com.example.app", "type": kind["name"],
                                 "frequency": "hourly"} for kind in info(trace, rouse)["types"]]}
    with open(path, "w") as file:
        json.dump(policy, file, indent=1)
    return path


def fleet(devices, events, path, *options):
    """Generates a trace of samples of so many devices, which have equally many, one device after the other."""
    subprocess.run([ROUSE, "generate", "fleet", "--devices", str(devices), "--events", str(events),
                    "--mean-gap", "30", "--apps", "0", "--level", "1", *options, "-o", path],
                   check=True)


def fleet_trace(devices, events):
    """The path of a trace of so many devices."""
    return kept(f"fleet-{devices}", ".wtrace", fingerprint(),
                lambda path: fleet(devices, events, path))


def joined_fleet_trace(devices, events, turns):
    """The path of traces of so many devices that are joined as they are: each has its events in so many turns."""
    def make(path):
        with open(path, "wb") as joined, tempfile.TemporaryDirectory(dir=KEPT) as folder:
            for turn in range(turns):
                part = os.path.join(folder, f"{turn}.wtrace")
                fleet(devices, events // turns, part, "--start", f"2026-01-01T{turn:02}:00:00Z",
                      "--seed", str(turn), "--late", "0")
                with open(part, "rb") as file:
                    shutil.copyfileobj(file, joined)

    return kept(f"fleet-joined-{devices}", ".wtrace", fingerprint(), make)
