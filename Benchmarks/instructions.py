"""Counts the simulated instructions that scheduling takes, in Rouse and in the peer, with valgrind's callgrind.

Where the speed of a machine changes from one moment to the next, times of two programs cannot be compared; instructions
repeat. They are no times: mispredicted branches and cache misses are not in them.
"""
import os, re, shutil, subprocess, sys

# Rouse's functions that `scheduleNanoseconds` times: the module WakeScheduling, what calls it with a device's rows, the tally of
# wakes, and the kernels for both.
SCHEDULING = re.compile(
    r"14WakeScheduling|10WakeReplay0A5TallyV|10WakeReplay06DeviceB0C8schedule|9HistogramV|^kernels_(sum|bound|match)_")


def require():
    """Ends the program unless the tools are there."""
    missing = [tool for tool in ("valgrind", "strip") if shutil.which(tool) is None]
    if missing:
        sys.exit(f"counting instructions needs {' and '.join(missing)}: apt-get install valgrind binutils")


def without_lines(program, folder):
    """A copy of a program without line numbers, at which valgrind fails; symbols stay."""
    copy = os.path.join(folder, os.path.basename(program))
    subprocess.run(["strip", "-g", "-o", copy, program], check=True)
    return copy


def profile(command, folder):
    """The instructions of each function of a run, without those that it calls."""
    out = os.path.join(folder, "callgrind.out")
    # A processor path that valgrind knows.
    subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *command], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | {"ROUSE_CPU": "avx2"})
    names, counts, function, is_call = {}, {}, None, False
    with open(out, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if match := re.match(r"c?fn=\((\d+)\)(?: (.*))?", line):
                if match[2]:
                    names[match[1]] = match[2].strip()
                if line.startswith("fn="):
                    function = names[match[1]]
            elif line.startswith("calls="):
                # The next line has what the called function took.
                is_call = True
            elif function is not None and (line[0] in "+-*" or line[0].isdigit()):
                if not is_call:
                    counts[function] = counts.get(function, 0) + int(line.split()[1])
                is_call = False
    os.remove(out)
    return counts


def of_rouse(program, trace, policy, folder):
    """What scheduling takes in a replay that only counts."""
    counts = profile([program, "replay", trace, "--policy", policy, "--json", "--no-latency", "--threads", "1"], folder)
    return sum(count for name, count in counts.items() if SCHEDULING.search(name))


def of_peer(program, lines, policy, folder):
    """What a further pass over the events takes."""
    once, twice = (sum(profile([program, lines, "--policy", policy, "--repeat", str(passes)], folder).values())
                   for passes in (1, 2))
    return twice - once
