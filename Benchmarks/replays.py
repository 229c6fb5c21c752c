"""Runs the replay command and measures it from start to exit."""
import json, os, subprocess, time

from traces import ROUSE


def run_command(trace, policy, *options, rouse=ROUSE, environment={}):
    """Runs a replay: elapsed and processor time in seconds, peak memory in bytes, the result."""
    begin = time.perf_counter()
    process = subprocess.Popen([rouse, "replay", trace, "--policy", policy, "--json", *options],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=os.environ | environment)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"rouse replay {trace}: {process.stderr.read().decode()}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, json.loads(output)
