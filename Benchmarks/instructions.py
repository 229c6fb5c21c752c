"""Counts the simulated instructions that scheduling takes, in Rouse and in the peer, with valgrind's callgrind.

Where the speed of a machine changes from one moment to the next, times of two programs cannot be compared; instructions
repeat. They are no times: mispredicted branches and cache misses are not in them.

What is counted of Rouse is what its scheduler and its tally of wakes take with all that they call, whoever calls them; of both
programs the second of two passes over the events.
"""
import os, re, shutil, subprocess, sys

# Functions of the module WakeScheduling, of what calls it with a device's rows, and of the tally.
SCHEDULING = re.compile(r"^\$s(14WakeScheduling|10WakeReplay0A5TallyV|10WakeReplay06DeviceB0C)")


def has_avx2():
    with open("/proc/cpuinfo") as file:
        return " avx2" in file.read()


# Valgrind knows AVX2, and no AVX-512: what Rouse may use, and what the peer is built for.
PATH, ARCHITECTURE = ("avx2", "x86-64-v3") if has_avx2() else ("portable", "native")


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


def profile(command, folder, is_counted):
    """The instructions of a run: those of each call of a function that is counted by one that is not, with all that it calls."""
    out = os.path.join(folder, "callgrind.out")
    run = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *command],
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                         env=os.environ | {"ROUSE_CPU": PATH})
    if run.returncode != 0:
        sys.exit(f"valgrind {' '.join(command)}: exit status {run.returncode}\n{run.stderr}")
    names, caller, callee, is_call, total = {}, None, None, False, 0
    with open(out, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if match := re.match(r"(c?)fn=\((\d+)\)(?: (.*))?", line):
                if match[3]:
                    names[match[2]] = match[3].strip()
                if match[1]:
                    callee = names[match[2]]
                else:
                    caller = names[match[2]]
            elif line.startswith("calls="):
                # The next line has what the call took.
                is_call = True
            elif is_call:
                if is_counted(callee) and not is_counted(caller):
                    total += int(line.split()[1])
                is_call = False
    os.remove(out)
    return total


def of_second_pass(command, folder, is_counted):
    once, twice = (profile([*command, "--repeat", str(passes)], folder, is_counted) for passes in (1, 2))
    return twice - once


def of_rouse(program, trace, policy, folder):
    """What scheduling takes in a replay that only counts."""
    command = [program, "replay", trace, "--policy", policy, "--json", "--no-latency", "--threads", "1"]
    return of_second_pass(command, folder, lambda name: SCHEDULING.search(name) is not None)


def of_peer(program, lines, policy, folder):
    """What a pass over the events takes."""
    return of_second_pass([program, lines, "--policy", policy], folder, lambda name: name == "main")
