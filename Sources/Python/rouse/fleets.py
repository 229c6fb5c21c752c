"""Replays of many traces on the machines of a Dask cluster."""
from __future__ import annotations

import argparse
import json
import logging
import os
import re
import sys
from typing import Any, Callable, Iterable, Mapping, NoReturn, Optional, Sequence, Union

from . import _command
from ._plan import PACKAGES
from ._replay import Policy
from .tasks import TASK_BYTES, Batch, Policies, has_device, merge_results, plan, replay_batch, said

# So many results are merged by one task.
FAN_IN = 16


# What differs from Dask's defaults in a cluster of our own.
OWN_CLUSTER = {
    # A worker that dies as it starts is not replaced. Without any worker tasks fail after a minute and do not wait for ever.
    "distributed.scheduler.no-workers-timeout": "60s",
    # The profiler takes some 5 % of the processor time, and sees only a thread that waits for the command.
    "distributed.worker.profile.enabled": False,
    # An idle cluster of two workers takes 2 % of a core with these, 5 % without.
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "2s",
}


class Fleet:
    """What a fleet's replay tells: `results`, one for each policy in the order in which these were given.

    `text` is what `rouse merge --json --by-policy` writes, in the order of the policies' names. `failed` names what is missing.
    """

    def __init__(self, text: str, failed: Mapping[str, str], hashes: Sequence[str] = ()) -> None:
        self.text, self.failed = text, dict(failed)
        found = json.loads(text)
        self.results: list[dict[str, Any]] = found if isinstance(found, list) else [found]
        if hashes:
            self.results.sort(key=lambda result: hashes.index(result["basis"]["policy"]))

    @property
    def summaries(self) -> list[dict[str, Any]]:
        """The counts and the digest of each policy, in the order in which these were given."""
        return [result["summary"] for result in self.results]

    def __repr__(self) -> str:
        return f"<rouse.Fleet of {self.results[0]['devices']} devices under {len(self.results)} policies, " \
               f"{len(self.failed)} traces failed>"


def fleet(
    urls: Union[str, Iterable[str]], policies: Union[Policy, Sequence[Policy]] = "ios", client: Any = None, *,
    task_bytes: int = TASK_BYTES, device_of: Optional[Callable[[str], str]] = None, retries: int = 3,
    keep_going: bool = False, progress: Optional[bool] = None, storage_options: Optional[Mapping[str, Any]] = None,
) -> Fleet:
    """Replays many traces on a Dask cluster, under one or several policies; each trace is decoded once.

        rouse.fleet("s3://bucket/day/*.wtrace", ["ios", "watchos"], Client("scheduler:8786"))

    URLs are those of fsspec: paths, s3://, https://, with wildcards or of folders. Without a client all processors of this
    machine work. `plan` tells how traces are divided into tasks, and what `device_of` is. A task that fails is tried again
    `retries` times; if it fails then, `Error` names its traces. With `keep_going` damage is left out and counted
    (`loss` of a result), traces of tasks that failed and URLs without traces are left out and named (`failed`), and a large
    trace whose index is stale is not divided. `progress` draws a bar; by default if the standard error is a terminal.
    """
    with _command.needing(PACKAGES):
        import distributed
    chosen = Policies.of(policies)
    missing: Optional[dict[str, str]] = {} if keep_going else None
    batches = plan(urls, task_bytes=task_bytes, device_of=device_of, storage_options=storage_options, missing=missing)
    if missing and not batches:
        raise _command.Error(_named(missing))
    if client is None:
        import dask
        with dask.config.set(OWN_CLUSTER), \
                distributed.LocalCluster(threads_per_worker=1, silence_logs=logging.CRITICAL) as cluster, \
                distributed.Client(cluster) as client:
            return _run_on(client, batches, chosen, retries, keep_going, progress, storage_options, missing)
    return _run_on(client, batches, chosen, retries, keep_going, progress, storage_options, missing)


def _run_on(
    client: Any, batches: Sequence[Batch], policies: Policies, retries: int, keep_going: bool, progress: Optional[bool],
    storage_options: Optional[Mapping[str, Any]], missing: Optional[Mapping[str, str]] = None,
) -> Fleet:
    from distributed import as_completed
    # Large ones first, so that the last task is a short one.
    batches = sorted(batches, key=lambda batch: -batch.bytes)
    run = f"{os.getpid():x}-{os.urandom(4).hex()}"
    # Dask's dashboard shows tasks by the first word of their key.
    futures = client.map(replay_batch, batches, [policies] * len(batches), keep_going=keep_going,
                         storage_options=storage_options, retries=retries, pure=False,
                         key=[f"replay-{run}-{number}" for number in range(len(batches))])
    of = dict(zip((future.key for future in futures), batches))
    # What is in the result of each task.
    within = {key: [batch] for key, batch in of.items()}
    bar = _Bar(len(batches), sys.stderr.isatty() if progress is None else progress)
    failed: dict[str, str] = dict(missing or {})
    ready: list[Any] = []
    merges = 0
    done = as_completed(futures)
    del futures
    waiting = len(of)
    for future in done:
        waiting -= 1
        if future.status != "finished":
            error = future.exception()
            # Where the result of a replay was lost with its worker, a merge fails by what became of that replay.
            key, reason = getattr(error, "task", future.key), _reason(error)
            if key not in of:
                reason = _traced(reason, client, within[future.key], storage_options)
                raise _command.Error(f"results cannot be merged: {reason}")
            failed.update((url, reason) for url in of[key].urls)
            if future.key not in of:
                raise _command.Error(_named(failed))
            if not keep_going:
                raise _command.Error(_named(failed))
        else:
            ready.append(future)
        bar.show(future.key in of, len(failed))
        # A tree, in the order in which results come.
        while len(ready) >= FAN_IN or waiting == 0 and len(ready) > 1:
            taken, ready = ready[:FAN_IN], ready[FAN_IN:]
            merged = client.submit(merge_results, taken, retries=retries, pure=False, key=f"merge-{run}-{merges}")
            merges, waiting = merges + 1, waiting + 1
            within[merged.key] = [batch for one in taken for batch in within.pop(one.key)]
            done.add(merged)
            del taken
    if not ready:
        raise _command.Error(_named(failed))
    return Fleet(merge_results([ready[0].result()]), failed, policies.hashes)


def _traced(reason: str, client: Any, batches: Sequence[Batch], storage_options: Optional[Mapping[str, Any]]) -> str:
    """Why results cannot be merged, with the traces that have the device which is in two of them: these are replayed again."""
    found = re.search("(?<=the device with the hash )[0-9a-f]{16}", reason)
    if not found:
        return reason
    from distributed import wait
    ones = [Batch((piece,)) for batch in batches for piece in batch.pieces]
    futures = client.map(has_device, ones, device=found[0], storage_options=storage_options, pure=False, key="find")
    wait(futures)
    having = (one for one, future in zip(ones, futures) if future.status == "finished" and future.result())
    urls = list(dict.fromkeys(one.urls[0] for one in having))
    named = " and in ".join(urls[:3]) + (f" and {len(urls) - 3} more" if len(urls) > 3 else "")
    return reason.replace("in two of the results", f"in {named}, which two tasks replayed") if urls else reason


def _reason(error: Any) -> str:
    """Why a task failed, in the words of the command or, of its worker, in ours."""
    if type(error).__name__ == "KilledWorker":
        return f"{error.allowed_failures + 1} workers died as they replayed it: is their memory too small?"
    return said(error)


def _named(failed: Mapping[str, str]) -> str:
    """A failure in one line, which names its trace; of a worker that was lost, the first trace."""
    reason = next(iter(failed.values()))
    more = f"; {len(failed) - 1} other traces have no result either" if len(failed) > 1 else ""
    return reason + more if any(url in reason for url in failed) else f"{next(iter(failed))}: {reason}{more}"


class _Bar:
    """A line on standard error that tells how many tasks are done."""

    def __init__(self, all: int, shows: bool) -> None:
        self._all, self._shows, self._done = all, shows, 0

    def show(self, is_replay: bool, failed: int) -> None:
        self._done += is_replay
        if not self._shows:
            return
        filled = 40 * self._done // self._all
        more = f", {failed} traces failed" if failed else ""
        end = "\n" if self._done == self._all and is_replay else ""
        print(f"\r[{'#' * filled}{'.' * (40 - filled)}] {self._done}/{self._all} tasks{more}", end=end, file=sys.stderr, flush=True)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        # The status of rouse and of sysexits.h; Python's is 2.
        self.exit(64, f"rouse-fleet: {message}\nTry 'rouse-fleet --help'.\n")


def main() -> int:
    """The command `rouse-fleet`."""
    parser = _Parser(prog="rouse-fleet", description="Replays many traces on a Dask cluster, or on the "
                     "processors of this machine, and prints the result as rouse merge --json --by-policy does.")
    parser.add_argument("urls", metavar="URL", nargs="+", help="a path, s3:// or https://; a folder, or with wildcards")
    parser.add_argument("--policy", action="append", help="ios (default), watchos, or a JSON file; repeatable")
    parser.add_argument("--scheduler", help="the address of a Dask scheduler (default: a cluster of this machine)")
    parser.add_argument("--keep-going", action="store_true", help="leave out what is damaged, and what cannot be read")
    parser.add_argument("--task-bytes", type=int, default=TASK_BYTES, metavar="N", help="bytes of traces of a task (default %(default)s)")
    given = parser.parse_args()
    try:
        client = None
        if given.scheduler:
            with _command.needing(PACKAGES):
                import distributed
            client = distributed.Client(given.scheduler)
        result = fleet(given.urls, given.policy or "ios", client, keep_going=given.keep_going, task_bytes=given.task_bytes)
    except Exception as error:
        # Those of stores and of Dask are of many kinds.
        print(f"rouse-fleet: {said(error)}", file=sys.stderr)
        return 1
    print(result.text, end="")
    for url, reason in result.failed.items():
        print(f"rouse-fleet: left out: {url}: {reason}", file=sys.stderr)
    # The first of the damages, as the result has them; those of each policy are the same.
    loss = result.results[0]["loss"]
    for damage in loss.get("damages", []):
        place = f": byte {damage['offset']}" if "offset" in damage else ""
        print(f"rouse-fleet: skipped: {damage['file']}{place}: {damage['message']}", file=sys.stderr)
    return 1 if result.failed or loss.get("damagedPlaces") else 0
