"""The traces of the benchmarks, and the binaries that make them.

Traces are cached in `.build/benchmarks` until the sources that make them change.
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


# The skipped measurements.
LEFT_OUT = []


def leave_out(what, reason):
    """Reports a skipped measurement, now and at the end."""
    say(f"LEFT OUT: {what}, {reason}")
    LEFT_OUT.append(what)


RELEASE = ["swift", "build", "-c", "release", "--static-swift-stdlib"]
# The release build of the README.
COMMAND = [*RELEASE, "-Xswiftc", "-static-executable", "--product", "rouse"]


def build():
    # The allocation counter replaces malloc, which a statically linked C library does not allow.
    for command in ([*COMMAND, "--scratch-path", STATIC],
                    *([*RELEASE, "-Xlinker", "-no-pie", "--product", os.path.basename(program)]
                      for program in (LIMITS, BENCH))):
        subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr)


def missing_programs():
    """The products of `build` that do not exist."""
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
    """A hash of everything that determines a trace's bytes."""
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
    """Removes a file or folder if it exists."""
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.remove(path)


def kept(name, suffix, digest, make):
    """The path of a cached file or folder; `make(path)` makes it if there is none with this hash."""
    os.makedirs(KEPT, exist_ok=True)
    path = os.path.join(KEPT, f"{name}-{digest}{suffix}")
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
    """The output of `rouse info` on a trace."""
    return json.loads(subprocess.run([rouse, "info", "--json", trace], check=True,
                                     stdout=subprocess.PIPE).stdout)[0]


def fitbit_trace():
    """The path of fitbit's trace, encoded by this `rouse` at the default level of imports."""
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
    """Generates a trace with an equal number of samples for each device, one device after the other."""
    subprocess.run([ROUSE, "generate", "fleet", "--devices", str(devices), "--events", str(events),
                    "--mean-gap", "30", "--apps", "0", "--level", "1", *options, "-o", path],
                   check=True)


def fleet_trace(devices, events):
    """The path of a trace with a number of devices."""
    return kept(f"fleet-{devices}", ".wtrace", fingerprint(),
                lambda path: fleet(devices, events, path))


def join_fleets(path, devices, events, turns, change=lambda part, turn: None):
    """Joins traces of the same devices, each of which `change` may write anew."""
    with open(path, "wb") as joined, tempfile.TemporaryDirectory(dir=KEPT) as folder:
        for turn in range(turns):
            part = os.path.join(folder, f"{turn}.wtrace")
            fleet(devices, events // turns, part, "--start", f"2026-01-01T{turn:02}:00:00Z",
                  "--seed", str(turn), "--late", "0")
            change(part, turn)
            with open(part, "rb") as file:
                shutil.copyfileobj(file, joined)


def joined_fleet_trace(devices, events, turns):
    """The path of joined traces of the same devices: the events of each device are in all of the parts."""
    return kept(f"fleet-joined-{devices}-{turns}", ".wtrace", fingerprint(),
                lambda path: join_fleets(path, devices, events, turns))


def shuffled_fleet_trace(devices, events):
    """The path of two joined traces of the same devices, of which the second has them in another order: each of its
    blocks waits for nearly all of the first, so that all devices live at once."""
    def shuffle(part, turn):
        if turn == 1:
            # In {"t":…,"device":"device-00001",… quotes end the fields, and the sixth is the device.
            command = """"$0" export "$1" | LC_ALL=C sort -s -t'"' -k6,6R --random-source=/dev/zero |
                         "$0" import jsonl - -o "$1.new"
                         mv "$1.new" "$1\""""
            subprocess.run(["bash", "-euo", "pipefail", "-c", command, ROUSE, part], check=True)

    return kept(f"fleet-shuffled-{devices}", ".wtrace", fingerprint(),
                lambda path: join_fleets(path, devices, events, 2, shuffle))
