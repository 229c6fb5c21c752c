#!/usr/bin/env python3
"""Draws bursts.svg of the page Schedulers: the rules and Tests/Schedulers/burst.c beside the bound (page Rules, 10).

    .github/bursts.py [--check] [ROUSE]      ROUSE is the command; default .build/release/rouse

Traces/real/fitbit.wtrace is made into syncs, as Traces/real/to_jsonl.py --sync 900 does it: a sample is saved at the next
multiple of 900 s. Of the samples of a type that a device saves at one time, two are kept: when wakes come, and for how
long the app is behind, depends on whether there is one, or more.

--check compares with bursts.svg instead of writing it, and the rules with the burst example: at no more wakes, it must be
behind for less than half as long.
"""
import json, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..")
SVG = os.path.join(ROOT, "Sources/WakeHosting/WakeHosting.docc/bursts.svg")
SYNC = 900 * 10**9
TYPES = ["HeartRate", "ActiveEnergyBurned", "AppleExerciseTime", "PhysicalEffort", "StepCount"]
# Seconds in which an app earns a wake; the first is the default of burst.c.
EARNED = [1770, 900, 1200, 1500, 2700, 3600]
LEFT, TOP, WIDTH, HEIGHT, MOST_WAKES = 70, 60, 860, 360, 100_000


def policy(frequency):
    return {"behaviour": {"completesAfter": 2, "coldStart": 1},
            "subscriptions": [{"app": "app", "type": f"HKQuantityTypeIdentifier{kind}", "frequency": frequency}
                              for kind in TYPES]}


def make_syncs(rouse, folder):
    """The trace of the syncs."""
    path, last = os.path.join(folder, "syncs.wtrace"), {}
    export = subprocess.Popen([rouse, "export", os.path.join(ROOT, "Traces/real/fitbit.wtrace")],
                              stdout=subprocess.PIPE, text=True)
    importing = subprocess.Popen([rouse, "import", "jsonl", "-", "-o", path], stdin=subprocess.PIPE, text=True,
                                 stderr=subprocess.DEVNULL)
    for line in export.stdout:
        parts = line.split('"', 14)  # {"t":…,"device":"…","k":"save","type":"…",
        key, saved = (parts[5], parts[13]), (int(parts[2][1:-1]) // SYNC + 1) * SYNC
        before, count = last.get(key, (0, 0))
        count = count + 1 if before == saved else 1
        last[key] = saved, count
        if count <= 2:
            importing.stdin.write(f'{{"t":{saved},"device":"{parts[5]}","k":"save","type":"{parts[13]}","source":"s"}}\n')
    importing.stdin.close()
    if export.wait() or importing.wait():
        sys.exit("no trace of the syncs")
    return path


def points(rouse, folder):
    """Wakes and seconds behind: of the rules by frequency, of the burst example by what it earns, of the bound."""
    trace, library = make_syncs(rouse, folder), os.path.join(folder, "burst.so")
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-I", os.path.join(ROOT, "Sources/CRouse/include"),
                    os.path.join(ROOT, "Tests/Schedulers/burst.c"), "-o", library], check=True)

    def replay(name, *options, **environment):
        path, out = os.path.join(folder, name + ".json"), os.path.join(folder, "bounds.json")
        with open(path, "w") as file:
            json.dump(policy(name), file)
        subprocess.run([rouse, "replay", trace, "--policy", path, "--bounds", out, "--no-latency", *options], check=True,
                       stdout=subprocess.DEVNULL, env={**os.environ, **environment})
        app = json.load(open(out))["app"]
        return app["wakes"], app["behind"] / 1e9, app["leastBehind"] / 1e9

    rules = {name: replay(name) for name in ("hourly", "daily")}
    bursts = {earned: replay("hourly", "--scheduler", library, BURST_EARNED=str(earned)) for earned in EARNED}
    curve = subprocess.run([rouse, "optimum", trace, "--policy", os.path.join(folder, "hourly.json"), "--curve", "-"],
                           check=True, capture_output=True, text=True).stdout
    bound = [(line["wakes"], line["leastBehind"] / 1e9) for line in map(json.loads, curve.splitlines())]
    return rules, bursts, sorted(bound)


def x(wakes):
    return round(LEFT + min(wakes, MOST_WAKES) / MOST_WAKES * WIDTH, 1)


def draw(rules, bursts, bound):
    longest = bound[0][1]

    def y(seconds):
        return round(TOP + HEIGHT - seconds / longest * HEIGHT, 1)

    def text(x, y, words, style=""):
        return f'<text x="{x}" y="{y}"{style}>{words}</text>'
    out = []
    for share in range(0, 101, 25):
        at = y(longest * share / 100)
        out += [f'<path d="M{LEFT} {at}h{WIDTH}" stroke="#d8dee4"/>',
                text(LEFT - 8, at + 4, f"{share} %", ' text-anchor="end"')]
    for wakes in range(0, MOST_WAKES + 1, 20_000):
        out.append(text(x(wakes), TOP + HEIGHT + 20, f"{wakes:,}", ' text-anchor="middle"'))
    out.append(text(LEFT + WIDTH / 2, TOP + HEIGHT + 42, "wakes", ' text-anchor="middle"'))
    line = "".join(f"{'L' if number else 'M'}{x(wakes)} {y(seconds)}"
                   for number, (wakes, seconds) in enumerate(bound) if wakes <= MOST_WAKES)
    out += [f'<path d="{line}" fill="none" stroke="#57606a" stroke-width="1.5"/>',
            text(x(4_000), y(longest * 0.6), "the bound: no schedule is below it", ' fill="#57606a"')]
    for name, (wakes, behind, _) in rules.items():
        out += [f'<rect x="{x(wakes) - 5:.1f}" y="{y(behind) - 5:.1f}" width="10" height="10" fill="#cf222e"/>',
                text(round(x(wakes) + 10, 1), round(y(behind) + 14, 1), f"the rules, {name}", ' fill="#cf222e"')]
    for earned, (wakes, behind, _) in bursts.items():
        mark = "" if earned != EARNED[0] else ' stroke="#0a58ca" stroke-width="5" stroke-opacity="0.3"'
        out += [f'<circle cx="{x(wakes)}" cy="{y(behind)}" r="5" fill="#0a58ca"{mark}/>',
                text(round(x(wakes) + 10, 1), round(y(behind) - 6, 1), f"burst, a wake in {earned:,} s", ' fill="#0a58ca"')]
    size = TOP + HEIGHT + 60
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 {size}" '
        'font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#24292f">',
        "<title>For how long an app is behind, by the number of wakes</title>",
        f'<rect width="1000" height="{size}" fill="#ffffff"/>',
        text(20, 28, "Share of the time for which an app is behind: trackers that sync each quarter of an hour",
             ' font-size="16" font-weight="bold"'), *out, "</svg>"]) + "\n"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    rouse = os.path.abspath(arguments[0] if arguments else os.path.join(ROOT, ".build/release/rouse"))
    with tempfile.TemporaryDirectory() as folder:
        rules, bursts, bound = points(rouse, folder)
    (wakes, behind, least), (own_wakes, own_behind, _) = rules["hourly"], bursts[EARNED[0]]
    print(f"the rules, hourly: {wakes} wakes, behind for {behind / 86400:.2f} days, at least {least / 86400:.2f}")
    print(f"burst: {own_wakes} wakes, behind for {own_behind / 86400:.2f} days: {own_behind / behind:.3f} of the rules'")
    if own_wakes > wakes or own_behind >= behind / 2:
        sys.exit("burst.c is not behind for less than half as long at no more wakes")
    svg = draw(rules, bursts, bound)
    if "--check" not in sys.argv:
        os.makedirs(os.path.dirname(SVG), exist_ok=True)
        with open(SVG, "w") as file:
            file.write(svg)
    elif svg != open(SVG).read():
        sys.exit(f"{os.path.relpath(SVG)} is not what .github/bursts.py draws")


main()
