"""Fleets: the same bytes as one replay, whatever the machines do."""
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict

import pytest
import rouse
from conftest import ROOT, TRACES
from rouse.tasks import Batch, Piece, Policies, merge_results, plan, replay_batch

pytest.importorskip("fsspec")
POLICIES = [TRACES / "fleet.policy.json", "watchos"]


@pytest.fixture(scope="module")
def files(tmp_path_factory, command):
    """Two hundred devices in forty traces."""
    folder = tmp_path_factory.mktemp("fleet")
    lines = defaultdict(list)
    for line in command("export", TRACES / "fleet.wtrace").splitlines(keepends=True):
        lines[json.loads(line)["device"]].append(line)
    devices = sorted(lines)
    assert len(devices) == 200
    for number in range(40):
        text = "".join(line for device in devices[number::40] for line in lines[device])
        rouse.run("import", "jsonl", "-", "-o", folder / f"{number:02}.wtrace", input=text.encode())
    return folder


@pytest.fixture(scope="module")
def whole(files):
    """The summaries of one replay of everything."""
    return [rouse.replay(sorted(files.glob("*.wtrace")), policy).summary for policy in POLICIES]


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        yield client


def test_plan(files):
    urls = [str(path) for path in sorted(files.glob("*.wtrace"))]
    size = sum(os.path.getsize(url) for url in urls)
    for given in (str(files), f"{files}/*.wtrace", urls, f"file://{files}/*.wtrace"):
        batches = plan(given, task_bytes=size // 4)
        assert sorted(url for batch in batches for url in batch.urls) == [f"file://{url}" for url in urls]
        assert sum(batch.bytes for batch in batches) == size and 4 <= len(batches) <= 6
    by_digit = plan(str(files), task_bytes=1, device_of=lambda url: url[-len("0.wtrace")])
    assert sorted(len(batch.urls) for batch in by_digit) == [4] * 10
    with pytest.raises(rouse.Error, match="there are no traces"):
        plan(f"{files}/*.none")
    # It is a rouse.Error, and a FileNotFoundError too.
    for error in (rouse.Error, FileNotFoundError):
        with pytest.raises(error, match="none.wtrace: cannot be found"):
            plan(f"{files}/none.wtrace")


def test_urls_that_are_empty_or_not_utf_8(files, tmp_path, monkeypatch):
    # The current directory has traces.
    monkeypatch.chdir(files)
    for urls in ("", "file://", ["00.wtrace", ""]):
        for missing in (None, {}):
            with pytest.raises(rouse.Error, match="a URL is empty"):
                plan(urls, missing=missing)
    assert plan(".")
    (tmp_path / "\udcff.wtrace").write_bytes(b"")
    with pytest.raises(rouse.Error, match="is not UTF-8"):
        plan(str(tmp_path))


def test_libraries_that_are_not_installed(files, monkeypatch):
    batch, = plan(str(files / "00.wtrace"))
    policies = Policies.of("ios")
    monkeypatch.setitem(sys.modules, "fsspec", None)
    for ask in (lambda: plan(str(files)), lambda: plan(str(files), missing={}), lambda: replay_batch(batch, policies)):
        with pytest.raises(rouse.Error, match="None in sys.modules: pip install rouse with .fleet., or[^:]*$"):
            ask()
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(rouse.Error, match="pip install rouse with .fleet."):
        rouse.fleet(str(files))


def test_names_with_marks_are_names(files, tmp_path):
    trace = (files / "00.wtrace").read_bytes()
    for name in ("day[1].wtrace", "what?.wtrace", "a::b.wtrace", "*.wtrace", "a:b.wtrace"):
        (tmp_path / name).write_bytes(trace)
        batch, = plan(str(tmp_path / name))
        assert batch.urls == [f"file://{tmp_path}/{name}"]
        assert "summary" in replay_batch(batch, Policies.of("ios"))
    batch, = plan(f"{tmp_path}/a[:]*")
    assert batch.urls == [f"file://{tmp_path}/a::b.wtrace", f"file://{tmp_path}/a:b.wtrace"]
    (tmp_path / "line\nbreak.wtrace").write_bytes(trace)
    with pytest.raises(rouse.Error, match="line break"):
        plan(str(tmp_path))


def replayed(urls, **options):
    """The merged result of tasks without an engine."""
    return json.loads(merge_results([replay_batch(batch, Policies.of("ios"), **options) for batch in plan(urls, **options)]))


def test_a_policy_that_has_the_name_of_a_bucket(files, tmp_path):
    import fsspec
    fsspec.filesystem("memory").pipe_file("/p.json/a.wtrace", (files / "00.wtrace").read_bytes())
    (tmp_path / "p.json").write_text((TRACES / "fleet.policy.json").read_text())
    batch, = plan("memory://p.json/a.wtrace")
    result = json.loads(replay_batch(batch, Policies.of(str(tmp_path / "p.json"))))
    assert result["basis"]["policyName"] == "p.json"
    assert result["summary"] == rouse.replay(files / "00.wtrace", POLICIES[0]).summary


def test_names_that_files_cannot_have_together(files):
    for needed in ("moto", "werkzeug", "boto3", "s3fs"):
        pytest.importorskip(needed)
    from faulty_store import FaultyStore
    names = ["day/x.wtrace", "day//x.wtrace", "day/./x.wtrace", "p/x.wtrace", "p/x.wtrace/y.wtrace"]
    paths = sorted(files.glob("*.wtrace"))[:5]
    with FaultyStore([], faulty=False) as store:
        for name, path in zip(names, paths):
            store.put(path, name)
        assert replayed("s3://fleet", storage_options=store.options)["summary"] == rouse.replay(paths).summary
        store.damage("day//x.wtrace")
        batch, = plan("s3://fleet", storage_options=store.options)
        result = json.loads(replay_batch(batch, Policies.of("ios"), keep_going=True, storage_options=store.options))
        assert [found["file"] for found in result["loss"]["damages"]] == ["fleet/day//x.wtrace"]
        with pytest.raises(rouse.Error, match="^s3://fleet/day//x.wtrace: byte 0: "):
            replay_batch(batch, Policies.of("ios"), storage_options=store.options)


class Web:
    """A server that tells no length: it sends the trace in chunks."""

    def __init__(self, trace):
        import http.server

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                if self.path != "/day.wtrace":
                    return self.send_error(404 if self.path == "/none.wtrace" else 403)
                self.send_response(200)
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(b"%x\r\n" % len(trace) + trace + b"\r\n0\r\n\r\n")

            do_HEAD = do_GET

            def log_message(self, *_):
                pass
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


def test_a_server_that_tells_no_length(files):
    pytest.importorskip("aiohttp")
    with Web((files / "00.wtrace").read_bytes()) as web:
        batch, = plan(f"{web.url}/day.wtrace", task_bytes=1)
        assert batch.pieces[0].bytes is None and batch.bytes > 0
        assert replayed(f"{web.url}/day.wtrace")["summary"] == rouse.replay(files / "00.wtrace").summary
        with pytest.raises(FileNotFoundError, match="/none.wtrace: cannot be found"):
            plan(f"{web.url}/none.wtrace")
        with pytest.raises(FileNotFoundError, match="/secret.wtrace: cannot be found: 403"):
            plan(f"{web.url}/secret.wtrace")


def test_a_large_trace_is_divided_by_its_index(files, whole, tmp_path, client):
    large = tmp_path / "large.wtrace"
    large.write_bytes(b"".join(path.read_bytes() for path in sorted(files.glob("*.wtrace"))))
    assert len(plan(str(large), task_bytes=20_000)) == 1
    rouse.run("index", large)
    batches = plan(str(large), task_bytes=20_000)
    ranges = sorted(part for batch in batches for piece in batch.pieces for part in piece.ranges)
    assert len(batches) > 2 and sum(end - start for start, end in ranges) == large.stat().st_size
    assert all(one[1] <= next[0] for one, next in zip(ranges, ranges[1:]))
    assert rouse.fleet(str(large), POLICIES, client, task_bytes=20_000).summaries == whole
    os.utime(large, ns=(1, 1))
    with pytest.raises(rouse.Error, match="another state of the trace"):
        plan(str(large), task_bytes=20_000)
    result = rouse.fleet(str(large), POLICIES, client, task_bytes=20_000, keep_going=True)
    assert result.summaries == whole and result.failed == {}
    large.write_bytes(large.read_bytes()[:-1])
    with pytest.raises(rouse.Error, match="another state of the trace"):
        plan(str(large), task_bytes=20_000)


def test_tasks_without_an_engine(files, whole):
    policies = Policies.of(POLICIES)
    results = [replay_batch(batch, policies) for batch in plan(str(files), task_bytes=1)]
    assert results[7] == replay_batch(plan(str(files), task_bytes=1)[7], policies)
    forward, backward = merge_results(results), merge_results(results[::-1])
    tree = merge_results([merge_results(results[:9]), merge_results(results[9:30]), merge_results(results[30:])])
    assert forward == backward == tree
    assert {text["summary"]["digest"] for text in json.loads(forward)} == {summary["digest"] for summary in whole}
    with pytest.raises(rouse.Error, match="^the device with the hash .* is in two of the results: .*device_of"):
        merge_results(results[:3] + results[1:2])
    other = replay_batch(plan(str(files), task_bytes=1)[3], policies, arguments=["--without", "budget"])
    with pytest.raises(rouse.Error, match='^field "without"'):
        merge_results([*results[:3], other])


def test_results_are_in_the_order_of_the_policies(files, client, command):
    policies = [{"completionTimeout": number} for number in range(1, 13)]
    paths = sorted(files.glob("*.wtrace"))[:2]
    result = rouse.fleet(map(str, paths), policies, client)
    assert result.summaries == [rouse.replay(paths, policy).summary for policy in policies]
    result = rouse.fleet(map(str, paths), ["watchos", "ios"], client)
    assert result.summaries == [rouse.replay(paths, policy).summary for policy in ("watchos", "ios")]
    # The text is that of merge, byte for byte.
    chosen = ["--policy", "ios", "--policy", "watchos", "--no-latency", "--results", "-"]
    assert result.text == rouse.run("merge", "--json", "--by-policy", "-", input=command("replay", *paths, *chosen).encode())


def test_policies_are_checked_before_tasks_run(tmp_path):
    (tmp_path / "own.json").write_text("{}")
    for given, message in ((["ios", "ios"], "ios and ios are the same policy"),
                           (["ios", tmp_path / "own.json"], "ios and .*own.json are the same policy"),
                           ([{"carry": "due"}, {"carry": "due"}], "policy-1.json and policy-2.json are the same policy"),
                           ([], "no policy is given")):
        with pytest.raises(rouse.Error, match=message):
            Policies.of(given)


def test_a_device_in_two_tasks_is_told_with_its_traces(files, client, tmp_path):
    (tmp_path / "copy.wtrace").write_bytes((files / "07.wtrace").read_bytes())
    given = [str(path) for path in sorted(files.glob("*.wtrace"))] + [str(tmp_path / "copy.wtrace")]
    with pytest.raises(rouse.Error) as caught:
        # Three levels of merges, with several traces in each task.
        rouse.fleet(given, "ios", client, task_bytes=3 * os.path.getsize(given[0]))
    told = str(caught.value)
    assert re.search("/(07|copy).wtrace and in file://.*/(07|copy).wtrace, which two tasks replayed: .*device_of", told)
    assert ".json" not in told and "--shard" not in told
    together = rouse.fleet(given, "ios", client, task_bytes=1, device_of=lambda url: url.replace("copy", "07")[-9:])
    assert together.results[0]["devices"] == 200


def test_the_summaries_of_one_machine(files, whole, client, capfd):
    result = rouse.fleet(str(files), POLICIES, client, task_bytes=20_000, progress=True)
    assert result.summaries == whole
    assert result.failed == {} and "200 devices under 2 policies" in repr(result)
    bar = capfd.readouterr().err
    assert "tasks" in bar and bar.rstrip().endswith("tasks")


def test_one_policy_given_as_a_dictionary(files, client):
    policy = json.loads(POLICIES[0].read_text())
    result = rouse.fleet(str(files), policy, client, task_bytes=100_000)
    assert result.summaries == [rouse.replay(sorted(files.glob("*.wtrace")), policy).summary]


@pytest.fixture
def damaged(files, tmp_path):
    for path in files.glob("*.wtrace"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    content = bytearray((tmp_path / "05.wtrace").read_bytes())
    content[len(content) // 2] ^= 0xFF
    (tmp_path / "05.wtrace").write_bytes(content)
    return tmp_path


def test_a_damaged_trace_is_named_or_left_out(damaged, client):
    with pytest.raises(rouse.Error, match="05.wtrace: byte 0: "):
        rouse.fleet(str(damaged), POLICIES, client, task_bytes=20_000, retries=1)
    result = rouse.fleet(str(damaged), POLICIES, client, task_bytes=20_000, keep_going=True)
    assert result.failed == {}
    for entry in result.results:
        assert [found["file"] for found in entry["loss"]["damages"]] == [str(damaged / "05.wtrace")]
        assert entry["loss"]["damagedEvents"] > 0


def test_a_trace_that_cannot_be_read_is_named_at_last(files, client, tmp_path):
    batches = plan(str(files), task_bytes=10**9) + [Batch((Piece(f"file://{tmp_path}/gone.wtrace", 10),))]
    from rouse.fleets import _run_on
    with pytest.raises(rouse.Error, match="gone.wtrace"):
        _run_on(client, batches, Policies.of("ios"), 1, False, False, None)
    result = _run_on(client, batches, Policies.of("ios"), 1, True, False, None)
    assert list(result.failed) == [f"file://{tmp_path}/gone.wtrace"]
    assert result.results[0]["devices"] == 200


def test_workers_that_are_killed(files, whole, client):
    stop = threading.Event()
    killed = []

    def kill():
        for moment in (0.15, 0.3):
            if stop.wait(moment):
                return
            pids = list(client.run(os.getpid).values())
            if pids:
                os.kill(pids[0], signal.SIGKILL)
                killed.append(pids[0])
    thread = threading.Thread(target=kill)
    thread.start()
    try:
        for _ in range(3):
            assert rouse.fleet(str(files), POLICIES, client, task_bytes=5_000).summaries == whole
    finally:
        stop.set()
        thread.join()
    assert killed
    client.wait_for_workers(2, timeout=30)


def test_the_command(files, whole):
    pytest.importorskip("distributed")
    environment = {**os.environ, "PYTHONPATH": ":".join(filter(None, sys.path))}
    command = [sys.executable, "-c", "from rouse.fleets import main; raise SystemExit(main())", str(files),
               "--policy", str(POLICIES[0])]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["summary"] == whole[0]
    done = subprocess.run([*command[:-2], "--policy", "none.json"], capture_output=True, text=True, env=environment)
    assert done.returncode == 1 and "none.json" in done.stderr.splitlines()[-1]
    done = subprocess.run([*command, "--nonsense"], capture_output=True, text=True, env=environment)
    assert done.returncode == 64 and done.stderr.startswith("rouse-fleet: unrecognized arguments: --nonsense\nTry ")
    pytest.importorskip("s3fs")
    # A store that is not there.
    environment.update(AWS_ENDPOINT_URL="http://127.0.0.1:1", AWS_ACCESS_KEY_ID="a", AWS_SECRET_ACCESS_KEY="b",
                       AWS_MAX_ATTEMPTS="1")
    done = subprocess.run([*command[:3], "s3://bucket/a.wtrace"], capture_output=True, text=True, env=environment)
    assert done.returncode == 1 and done.stderr.startswith("rouse-fleet: s3://bucket/a.wtrace: Could not connect")
    assert len(done.stderr.splitlines()) == 1


def test_the_path_of_the_command_may_be_relative(files, monkeypatch):
    found = rouse.command()
    monkeypatch.chdir(os.path.dirname(found))
    monkeypatch.setenv("ROUSE_COMMAND", os.path.basename(found))
    assert replayed(str(files))["devices"] == 200


@pytest.mark.skipif(subprocess.run(["which", "java"], capture_output=True).returncode != 0, reason="no JVM")
def test_spark(files, whole):
    pytest.importorskip("pyspark")
    environment = {**os.environ, "PYTHONPATH": ":".join(filter(None, sys.path)), "PYSPARK_PYTHON": sys.executable,
                   "SPARK_LOCAL_IP": "127.0.0.1"}
    done = subprocess.run([sys.executable, str(ROOT / "Sources/Python/examples/spark.py"), str(files), "--policy",
                           str(POLICIES[0]), "--task-bytes", "5000"], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout)["summary"] == whole[0]


def test_a_store_with_errors_and_cut_connections(files, whole, client):
    for needed in ("moto", "werkzeug", "boto3", "s3fs"):
        pytest.importorskip(needed)
    from faulty_store import FaultyStore
    with FaultyStore(files.glob("*.wtrace")) as store:
        with pytest.raises(rouse.Error, match="s3://fleet/05.wtrace: byte 0: "):
            store.damage("05.wtrace")
            rouse.fleet("s3://fleet/0*.wtrace", "ios", client, storage_options=store.options)
        store.put(files / "05.wtrace")
        result = rouse.fleet("s3://fleet/*.wtrace", POLICIES, client, task_bytes=20_000, storage_options=store.options)
    assert result.summaries == whole
    assert store.faults["500"] > 2 and store.faults["cut"] > 2


def test_a_policy_file_may_have_the_name_of_a_preset(files, tmp_path, monkeypatch):
    own = tmp_path / "watchos"
    own.write_text('{"preset": "ios", "completionTimeout": 1, "pushLimit": 1, "caps": {"default": "daily"}}')
    (tmp_path / "ios").mkdir()
    monkeypatch.chdir(tmp_path)
    chosen = Policies.of([own, "watchos", "ios"])
    assert chosen.arguments == ("./watchos", "watchos", "ios")
    batch = plan(str(files / "00.wtrace"))[0]
    result = json.loads(replay_batch(batch, Policies.of(own)))
    assert result["summary"] == rouse.replay(files / "00.wtrace", own).summary
    assert result["summary"] != rouse.replay(files / "00.wtrace", "watchos").summary


def test_an_index_that_is_not_whole_is_refused(files, tmp_path):
    trace, index = tmp_path / "all.wtrace", tmp_path / "all.wtrace.index"
    trace.write_bytes(b"".join(path.read_bytes() for path in sorted(files.glob("*.wtrace"))[:4]))
    rouse.run("index", trace)
    whole = index.read_bytes()
    assert len(plan(str(trace), task_bytes=1)) > 1
    for damaged in (b"", whole.split(b"\n")[0] + b"\n", whole[:whole.rindex(b"\n", 0, -1) + 1], whole[:-20], whole.replace(b"offset", b"offsat")):
        index.write_bytes(damaged)
        with pytest.raises(rouse.Error, match="is damaged, or does not tell of every byte"):
            plan(str(trace), task_bytes=1)
    index.write_bytes(whole)
    os.utime(trace, ns=(1, 1))
    with pytest.raises(rouse.Error, match="is of another state"):
        plan(str(trace), task_bytes=1)


def test_groups_that_interleave_are_in_one_part(files, tmp_path):
    """Blocks of the devices a, b, a, c: the first three are of one task, which misses no block."""
    one, other, third = (path.read_bytes() for path in sorted(files.glob("*.wtrace"))[:3])
    trace = tmp_path / "mixed.wtrace"
    trace.write_bytes(one + other + one + third)
    rouse.run("index", trace)
    parts = plan(str(trace), task_bytes=1)
    first = 2 * len(one) + len(other)
    assert [part.pieces[0].ranges for part in parts] == [((0, first),), ((first, first + len(third)),)]


def test_one_path_in_two_forms_is_taken_once(files, tmp_path):
    os.symlink(files / "00.wtrace", tmp_path / "link.wtrace")
    given = [str(files / "00.wtrace"), f"{files}/../{files.name}/00.wtrace", str(tmp_path / "link.wtrace"), f"{files}/00.*"]
    assert [batch.urls for batch in plan(given)] == [[f"file://{os.path.realpath(files / '00.wtrace')}"]]


def test_a_trace_that_is_not_there(files, client, tmp_path):
    given = [str(files / "00.wtrace"), str(files / "none.wtrace")]
    with pytest.raises(FileNotFoundError):
        rouse.fleet(given, client=client)
    result = rouse.fleet(given, client=client, keep_going=True)
    assert list(result.failed) == given[1:] and result.results[0]["devices"] > 0
    with pytest.raises(rouse.Error, match="none.wtrace"):
        rouse.fleet(given[1:], client=client, keep_going=True)
    (tmp_path / "empty").mkdir()
    given = [given[0], f"{tmp_path}/*.none", str(tmp_path / "empty"), "nonsense://a"]
    result = rouse.fleet(given, client=client, keep_going=True)
    assert result.failed == {given[1]: f"{given[1]}: there are no traces", given[2]: f"{given[2]}: there are no traces",
                             given[3]: f"{given[3]}: Protocol not known: nonsense"}
    assert result.results[0]["devices"] > 0
    with pytest.raises(rouse.Error, match="there are no traces"):
        rouse.fleet([], client=client)


def test_damage_of_a_part_is_told_at_its_place_in_the_trace(files, tmp_path):
    pieces = [path.read_bytes() for path in sorted(files.glob("*.wtrace"))[:3]]
    trace = tmp_path / "all.wtrace"
    trace.write_bytes(b"".join(pieces))
    rouse.run("index", trace)
    place = len(pieces[0]) + len(pieces[1]) * 2 // 3
    damaged = bytearray(trace.read_bytes())
    damaged[place] ^= 255
    modified = os.stat(trace).st_mtime_ns
    trace.write_bytes(damaged)
    os.utime(trace, ns=(modified, modified))
    part = plan(str(trace), task_bytes=1)[1]
    result = json.loads(replay_batch(part, Policies.of("ios"), keep_going=True))
    whole = rouse.run("replay", trace, "--keep-going", "--json", accept=(0, 1))
    assert result["loss"]["damages"] == json.loads(whole)["loss"]["damages"]
    with pytest.raises(rouse.Error, match=f"all.wtrace: byte {len(pieces[0])}: "):
        replay_batch(part, Policies.of("ios"))
