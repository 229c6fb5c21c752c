"""Measures how the cost of a replay grows with the number of its apps, types, queries or streams.

Each row is a kind of input that a scan of everything would make quadratic: a device with N apps, types, queries or
streams, and N inputs that might concern all of them. A row is replayed with N and with 2 N; the second replay costs at
most 2.3 times the first, by processor time. Costs are the least of a few rounds, as other load only adds to them.

Both take the same time of the device. If the second took twice the time, apps that do not answer would be woken more often
as well, and the rules would ask for 2.7 times as many wakes of twice as many apps.
"""
import json, os, subprocess, tempfile

from bars import at_most
from replays import run_command
from traces import KEPT, ROUSE, say

N = 40_000
MOST = 2.3
START, SECOND, HOUR = 1_767_225_600_000_000_000, 1_000_000_000, 3_600_000_000_000
POLICY = {"completionTimeout": 30, "maxStrikes": 1000}


class Inputs:
    """Inputs of one device, a step apart: a second where there are N, and half a second where there are 2 N."""

    def __init__(self, path, n=N):
        self.file, self.time, self.step = open(path, "w"), START, SECOND * N // n

    def add(self, kind, steps=1, **fields):
        self.file.write(json.dumps({"t": self.time, "k": kind, **fields}) + "\n")
        self.time += int(steps * self.step)

    def enable(self, app, kind="a", frequency="hourly"):
        self.add("enable", 0, app=f"app {app}", type=kind, frequency=frequency)

    def save(self, kind="a", source="s", **fields):
        self.add("save", type=kind, source=source, **fields)


def types(inputs, n):
    """One app on N types, each of which is saved twice."""
    for kind in range(n):
        inputs.enable(0, f"type {kind}")
    for kind in range(2 * n):
        inputs.save(f"type {kind % n}")


def launches(inputs, n):
    """N apps on a type, each of which is launched and left."""
    for app in range(n):
        inputs.enable(app)
    inputs.save()
    for app in range(n):
        inputs.add("launch", app=f"app {app}")
        inputs.add("background", app=f"app {app}")


def descending(inputs, n):
    """N apps, of which the last is enabled, launched and disabled first."""
    for app in range(n):
        inputs.add("background", app=f"app {app}")
    for app in reversed(range(n)):
        inputs.enable(app)
    inputs.save()
    for app in reversed(range(n)):
        inputs.add("launch", app=f"app {app}")
    for app in range(n):
        inputs.add("disable", app=f"app {app}", type="a")


def locks(inputs, n):
    """N apps with pending saves, and N times locked and unlocked."""
    for app in range(n):
        inputs.enable(app, frequency="weekly")
    inputs.save()
    inputs.add("complete", 60, app="app 0")
    inputs.save()
    for _ in range(n // 2):
        inputs.add("lock")
        inputs.add("unlock")


def refreshing(inputs, n):
    for app in range(n):
        inputs.add("refreshInterval", 0, app=f"app {app}", interval=86400)


def network(inputs, n):
    """N apps with refreshes, and a network that comes and goes N times."""
    refreshing(inputs, n)
    for turn in range(n):
        inputs.add("network", good=turn % 2 == 1)


def conditions(inputs, n):
    """N apps with refreshes; N times the network goes, every app gets a status and another one, and it comes back."""
    refreshing(inputs, n)
    for _ in range(n // 4):
        inputs.add("network", good=False)
        inputs.add("refreshStatus", app="*", status="available")
        inputs.add("refreshStatus", app="*", status="denied")
        inputs.add("network", good=True)


def statuses(inputs, n):
    """N apps with refreshes, and N statuses for all of them."""
    refreshing(inputs, n)
    for turn in range(n):
        inputs.add("refreshStatus", app="*", status=("denied", "available")[turn % 2])


def reboots(inputs, n):
    """N apps with pending saves, and N reboots."""
    for app in range(n):
        inputs.enable(app, frequency="weekly")
    inputs.save()
    for _ in range(n):
        inputs.add("reboot")


def predicates(inputs, n):
    """An app with N queries with predicates on a type, and N saves that match none or one of them."""
    inputs.enable(0)
    for query in range(n):
        predicate = [{"source": f"source {query}", "min": query}, {"min": query, "max": query + 0.5},
                     {"start": START + 100 * query * SECOND, "end": START + (100 * query + 1) * SECOND}][query % 3]
        inputs.add("execute", 0.1, app="app 0", query=f"q{query}", type="a", predicate=predicate)
    for save in range(n):
        inputs.save(source=f"source {save}", value=save + 0.25)


def changing_predicates(inputs, n):
    """As `predicates`, with a save after each query that begins, and after each that stops."""
    inputs.enable(0)
    for query in range(n):
        inputs.add("execute", app="app 0", query=f"q{query}", type="a", predicate={"source": f"source {query}"})
        inputs.save(source="another")
    for query in range(n):
        inputs.add("stop", app="app 0", query=f"q{query}")
        inputs.save(source="another")


def filtering_apps(inputs, n):
    """N apps with a predicate each on a type, and N saves that match none or one of them."""
    for app in range(n):
        inputs.enable(app)
        inputs.add("execute", 0, app=f"app {app}", query="q", type="a", predicate={"source": f"source {app}"})
    for save in range(n):
        inputs.save(source=f"source {save}")


def stops(inputs, n):
    """An app with N queries, which stop in the order in which they began."""
    inputs.enable(0)
    for query in range(n):
        inputs.add("execute", app="app 0", query=f"q{query}", type="a")
    for query in range(n):
        inputs.add("stop", app="app 0", query=f"q{query}")


def import_inputs(write):
    def make(folder, n):
        lines, trace = os.path.join(folder, "inputs.jsonl"), os.path.join(folder, f"{write.__name__}-{n}.wtrace")
        inputs = Inputs(lines, n)
        write(inputs, n)
        inputs.file.close()
        subprocess.run([ROUSE, "import", "jsonl", lines, "-o", trace], check=True, stderr=subprocess.DEVNULL)
        os.remove(lines)
        return trace
    make.__doc__ = write.__doc__
    return make


def streams(folder, n):
    """A device with N streams that overlap: a trace of it, N times over."""
    part = os.path.join(folder, "part.wtrace")
    inputs = Inputs(part + ".jsonl")
    inputs.enable(0)
    inputs.add("save", 10_000, type="a", source="s")
    inputs.save()
    inputs.file.close()
    subprocess.run([ROUSE, "import", "jsonl", part + ".jsonl", "-o", part], check=True, stderr=subprocess.DEVNULL)
    trace = os.path.join(folder, f"streams-{n}.wtrace")
    with open(part, "rb") as file, open(trace, "wb") as joined:
        one = file.read()
        for _ in range(n):
            joined.write(one)
    return trace


ROWS = {"types of one app": import_inputs(types), "launches": import_inputs(launches),
        "apps in descending order": import_inputs(descending), "locks": import_inputs(locks),
        "network toggled": import_inputs(network), "statuses without a network": import_inputs(conditions),
        "statuses of every app": import_inputs(statuses),
        "reboots": import_inputs(reboots), "predicates of an app": import_inputs(predicates),
        "predicates that come and go": import_inputs(changing_predicates),
        "apps with a predicate": import_inputs(filtering_apps), "queries that stop": import_inputs(stops),
        "overlapping streams": streams}


def measure(rounds):
    """The costs of the rows with 2 N over those with N."""
    costs = {}
    os.makedirs(KEPT, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        policy = os.path.join(folder, "policy.json")
        with open(policy, "w") as file:
            json.dump(POLICY, file)
        for name, make in ROWS.items():
            say(f"replaying {name}")
            traces = [make(folder, size) for size in (N, 2 * N)]
            times = [[run_command(trace, policy, "--no-latency", "--threads", "1")[1] for trace in traces]
                     for _ in range(rounds)]
            costs[name] = [min(column) for column in zip(*times)]
            for trace in traces:
                os.remove(trace)
    return {"seconds": costs,
            "bars": [at_most(f"{name}, cost of {2 * N:,} over {N:,} ({few:.2f} s)", many / few, MOST)
                     for name, (few, many) in costs.items()]}

