#!/usr/bin/env python3
"""Draws picture.svg from a replay of a morning of one tracker in Traces/real/fitbit.wtrace.

    .github/picture.py [--check] [ROUSE]      ROUSE is the command; default .build/release/rouse

--check compares with picture.svg instead of writing it.
"""
import json, os, subprocess, sys, tempfile
from datetime import datetime, timezone

HERE = os.path.dirname(os.path.abspath(__file__))
TRACE = os.path.join(HERE, "..", "Traces", "real", "fitbit.wtrace")
FROM, TO, DEVICE = "2016-04-12T08:10:00Z", "2016-04-12T11:30:00Z", "tracker-8"
LIMIT, HOUR = 6, 3600
# (app, type, its label, frequency, period in seconds)
LANES = [
    ("run", "AppleExerciseTime", "exercise", "immediate", 0),
    ("steps", "StepCount", "steps", "hourly", HOUR),
    ("heart", "HeartRate", "heart rate", "hourly", HOUR),
]
POLICY = {
    "budget": {"window": HOUR, "limit": LIMIT, "limitWithoutComplication": LIMIT},
    "behaviour": {"completesAfter": 2, "coldStart": 1},
    "subscriptions": [
        {"app": f"com.example.{app}", "type": f"HKQuantityTypeIdentifier{kind}", "frequency": frequency}
        for app, kind, _, frequency, _ in LANES],
}
LEFT, WIDTH, LANE, TOP = 175, 800, 74, 64


def lines(rouse, *arguments):
    done = subprocess.run([rouse, *arguments, TRACE, "--device", DEVICE, "--from", FROM, "--to", TO],
                          check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


BEGIN, END = instant(FROM), instant(TO)


def x(seconds):
    return round(LEFT + (min(max(seconds, BEGIN), END) - BEGIN) / (END - BEGIN) * WIDTH, 1)


def text(x, y, words, style=""):
    return f'<text x="{x}" y="{y}"{style}>{words}</text>'


def in_window(times, t):
    """The wakes that count for an app's budget at t (rule 6.1)."""
    return sum(t - HOUR < wake <= t for wake in times)


def budget(wakes, y):
    """The number of an app's wakes in the last hour, as steps, and where that reaches the limit."""
    times = [wake["t"] / 1e9 for wake in wakes]
    steps = sorted({BEGIN, END, *times, *(t + HOUR for t in times if t + HOUR < END)})
    base, height, path, full = y + 98, 8, "", []
    for start, end in zip(steps, steps[1:]):
        count = in_window(times, start)
        path += f"{'H' if path else 'M'}{x(start)}{'V' if path else ' '}{base - height * count}"
        if count >= LIMIT:
            full.append(f'<rect x="{x(start)}" y="{y - 10}" width="{x(end) - x(start):.1f}" height="{base - y + 10}" '
                        'fill="#fdf0ef"/>')
    return full, [
        text(20, y + 82, "wakes in the last hour"), text(20, y + 98, f"(budget: {LIMIT})"),
        f'<path d="M{LEFT} {base - height * LIMIT}h{WIDTH}" stroke="#cf222e" stroke-dasharray="4 3"/>',
        f'<path d="{path}H{x(END)}" fill="none" stroke="#24292f" stroke-width="1.5"/>']


def draw(saves, wakes):
    out = []
    y = TOP
    for app, kind, label, frequency, period in LANES:
        own = [wake for wake in wakes if wake["app"] == f"com.example.{app}"]
        times = [save["t"] / 1e9 for save in saves[kind]]
        if not period:
            full, steps = budget(own, y)
            out += full + steps
        out += [text(20, y + 12, app, ' font-weight="bold"'), text(20, y + 30, f"{label}, {frequency}")]
        # Many saves at one place of the picture are one line.
        places = sorted({round(x(t)) for t in times})
        out.append('<path stroke="#8c959f" d="' + "".join(f"M{place} {y + 22}v10" for place in places) + '"/>')
        waits = [(wake["oldest"] / 1e9, wake["t"] / 1e9) for wake in own]
        waits += [(t, END) for t in times if t > own[-1]["t"] / 1e9][:1]
        out += [f'<rect x="{x(start)}" y="{y + 35}" width="{x(end) - x(start):.1f}" height="5" fill="#f0a35e"/>'
                for start, end in waits if end > start]
        for wake in own:
            at = x(wake["t"] / 1e9)
            if period:
                end = x(wake["t"] / 1e9 + period)
                out.append(f'<rect x="{at + 2}" y="{y + 43}" width="{end - at - 3:.1f}" height="5" fill="#9ec5ea"/>')
            out.append(f'<path d="M{at} {y - 4}v26" stroke="#0a58ca" stroke-width="2"/>'
                       f'<circle cx="{at}" cy="{y - 4}" r="3.5" fill="#0a58ca"/>')
        y += LANE if period else LANE + 60
    out.append(f'<path d="M{LEFT} {y}h{WIDTH}" stroke="#24292f"/>')
    tick = BEGIN + (-BEGIN) % 1800
    while tick <= END:
        out += [f'<path d="M{x(tick)} {y}v5" stroke="#24292f"/>',
                text(x(tick), y + 20, datetime.fromtimestamp(tick, timezone.utc).strftime("%H:%M"),
                     ' text-anchor="middle"')]
        tick += 1800
    key = y + 52
    for at, width, mark, words in (
            (20, 12, f'<path d="M24 {key - 14}v18" stroke="#0a58ca" stroke-width="2"/>'
                     f'<circle cx="24" cy="{key - 14}" r="3.5" fill="#0a58ca"/>', "wake"),
            (85, 16, f'<path d="M86 {key - 10}v10M90 {key - 10}v10M94 {key - 10}v10" stroke="#8c959f"/>', "saves"),
            (160, 24, f'<rect x="160" y="{key - 7}" width="18" height="5" fill="#f0a35e"/>', "saves are pending"),
            (335, 24, f'<rect x="335" y="{key - 7}" width="18" height="5" fill="#9ec5ea"/>',
             "period: the type starts no other wake"),
            (645, 24, f'<rect x="645" y="{key - 12}" width="18" height="14" fill="#fdf0ef" stroke="#e5a9a4"/>',
             "budget used up: no wake")):
        out += [mark, text(at + width, key, words)]
    size = key + 20
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 {size}" '
        'font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#24292f">',
        '<title>Saves, periods, budget and wakes of one device in one morning</title>',
        f'<rect width="1000" height="{size}" fill="#ffffff"/>',
        text(20, 28, f"A morning of one real device: three apps, each with a budget of {LIMIT} wakes an hour",
             ' font-size="16" font-weight="bold"'), *out, "</svg>"]) + "\n"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    rouse = arguments[0] if arguments else os.path.join(HERE, "..", ".build", "release", "rouse")
    with tempfile.NamedTemporaryFile("w", suffix=".json") as policy:
        json.dump(POLICY, policy)
        policy.flush()
        wakes = lines(rouse, "replay", "--policy", policy.name, "--wakes", "-")
    saves = {kind: lines(rouse, "query", "--type", f"HKQuantityTypeIdentifier{kind}")
             for _, kind, *_ in LANES}
    svg, path = draw(saves, wakes), os.path.join(HERE, "picture.svg")
    if "--check" not in sys.argv:
        with open(path, "w") as file:
            file.write(svg)
    elif svg != open(path).read():
        sys.exit(".github/picture.svg is not what .github/picture.py draws")


main()
