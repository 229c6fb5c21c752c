"""Writes the figures of one run of `limits` into the tables of the page Performance."""
import os, platform, re

import wakes
from traces import ROOT

PAGE = os.path.join(ROOT, "Sources", "WakeReplay", "WakeReplay.docc", "Performance.md")

# The stages, in the order in which events pass them.
STAGES = {
    "inflate": "zlib alone inflating all members",
    "inflate for scheduling": "zlib alone inflating those that scheduling needs",
    "decode": "reading blocks: inflating, checking, columns",
    "sum columns": "summing times and types of decoded columns",
    "schedule in C": "scheduling decoded columns, plain loop in C",
    "schedule": "scheduling decoded columns",
    "replay without latencies": "replay, latencies not sampled",
    "replay": "replay",
    "replay, two threads": "replay, two threads (time that passes)",
    "whole command": "`rouse replay`, from start to exit",
    "encode, level 0": "encoding at level 0, columns only",
    "encode, level 1": "encoding at level 1",
}


def row(*cells):
    return "| " + " | ".join(cells) + " |\n"


def stage_table(figures):
    """The costs of the stages of a trace."""
    text = row("stage", "ns an event", "million events a second")
    text += row("---", "---:", "---:")
    for stage, title in STAGES.items():
        kind = "eventsPerSecond" if "threads" in stage else "eventsPerProcessorSecond"
        if stage in figures[kind]:
            speed = figures[kind][stage]
            text += row(title, f"{1e9 / speed:.2f}", f"{speed / 1e6:.0f}")
    return text


def bar_table(bars):
    """The bars and the measured values."""
    text = row("what", "measured", "asked") + row("---", "---:", "---:")
    for bar in bars:
        text += row(bar["what"], f"{bar['figure']:,.4g}", bar["bar"] + ("" if bar["met"] else ", missed"))
    return text


def wake_table(figures):
    """The cost of a wake. There are no bars, as times differ between machines."""
    text = row("apps that a save wakes", "ns a wake") + row("---", "---:")
    for name, cost in figures["nanoseconds"].items():
        text += row(wakes.title(name), f"{cost:.1f}")
    return text


def processor():
    """The processor's name."""
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    return platform.machine()


def tables(traces, others):
    """All tables, by the name of their place in the page."""
    texts = {"machine": f"Measured on {os.cpu_count()} processors ({processor()}, "
                        f"{platform.system()} {platform.machine()}).\n"}
    for figures in traces:
        texts[figures["trace"]] = stage_table(figures) + "\n" + bar_table(figures["bars"])
    for name, figures in others.items():
        texts[name] = wake_table(figures) if name == "wakes" else bar_table(figures["bars"])
    return texts


def write(traces, others, more=None):
    """Writes the measured tables into the page; the other tables stay as they are.

    `more` holds texts by the name of their place; with it the description of the machine stays.
    """
    with open(PAGE) as file:
        page = file.read()
    for name, text in (tables(traces, others) if more is None else more).items():
        place = re.compile(rf"(<!-- measured: {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
        page, count = place.subn(lambda match: match[1] + "\n" + text + "\n" + match[2], page)
        if count != 1:
            raise SystemExit(f"{PAGE} has {count} places for {name}")
    with open(PAGE, "w") as file:
        file.write(page)
