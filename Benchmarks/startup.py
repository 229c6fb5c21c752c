"""Measures the start-up time: `rouse --version` compared with an empty C program.

Both are started in turn; a value is the difference of two successive runs, so that disturbances affect both.
"""
import os, statistics, subprocess, tempfile, time

# Milliseconds more than the empty program.
MOST = 2.0


def seconds(arguments):
    begin = time.perf_counter()
    process = os.posix_spawn(arguments[0], arguments, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    _, status = os.waitpid(process, 0)
    taken = time.perf_counter() - begin
    if status != 0:
        raise SystemExit(f"{' '.join(arguments)} ended with status {status}")
    return taken


def measure(command, rounds):
    """The empty program's median and the median difference, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        source, empty = os.path.join(folder, "empty.c"), os.path.join(folder, "empty")
        with open(source, "w") as file:
            file.write("int main(void) { return 0; }\n")
        subprocess.run([os.environ.get("CC", "clang"), "-O2", source, "-o", empty], check=True)
        pairs = [(seconds([empty]), seconds([command, "--version"])) for _ in range(rounds + 5)][5:]
    return (1e3 * statistics.median(one for one, _ in pairs),
            1e3 * statistics.median(other - one for one, other in pairs))
