"""What a replay tells beside its tables, against the command."""
import copy
import json
import os
import pickle
import subprocess
import sys

import pytest
import rouse
from conftest import ROOT, TRACES

WATCH, POLICY = TRACES / "watch-day.wtrace", TRACES / "watch-day.policy.json"


def test_result_bounds_and_apps(command):
    pyarrow = pytest.importorskip("pyarrow")
    replay = rouse.replay(WATCH, POLICY)
    bounds = json.loads(command("optimum", WATCH, "--policy", POLICY, "--json"))
    rows = {row["app"]: row for row in pyarrow.table(replay.bounds()).to_pylist()}
    assert rows.keys() == bounds.keys()
    for app, found in bounds.items():
        assert rows[app]["leastBehind"] == found["leastBehind"]
        assert rows[app]["fewestWakesWithin3600"] == found["fewestWakesWithin"]["3600"]
    apps = pyarrow.table(replay.apps()).to_pylist()
    assert apps == replay.result["apps"]
    assert replay.digest == "db1456f6d8c146ea"
    assert "watch-day" in repr(replay)


def test_tables_without_rows_have_columns():
    pyarrow = pytest.importorskip("pyarrow")
    nobody, all = rouse.replay(WATCH, POLICY, devices="nobody"), rouse.replay(WATCH, POLICY)
    for name in ("wakes", "items", "waits", "apps", "bounds"):
        empty, full = pyarrow.table(getattr(nobody, name)()), pyarrow.table(getattr(all, name)())
        assert empty.schema == full.schema and full.num_rows > 0
    assert pyarrow.table(nobody.bounds()).num_rows == 0


def test_tables_go_on_without_damaged_files(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    (tmp_path / "empty.wtrace").write_bytes(b"")
    replay = rouse.replay([WATCH, tmp_path / "empty.wtrace"], POLICY, keep_going=True)
    with pytest.warns(UserWarning, match="empty.wtrace: the file is empty"):
        wakes = pyarrow.table(replay.wakes())
    assert wakes.num_rows == rouse.replay(WATCH, POLICY).summary["wakes"]
    assert pyarrow.table(replay.samples()).num_rows > 0


def test_a_policy_may_be_a_dictionary():
    policy = json.loads(POLICY.read_text())
    assert rouse.replay(WATCH, policy).digest == rouse.replay(WATCH, POLICY).digest
    assert rouse.replay(WATCH, policy, without=["budget"]).summary["wakes"] == 288


def test_a_replay_is_pickled_copied_and_forked():
    policy = json.loads(POLICY.read_text())
    replay = rouse.replay(WATCH, policy)
    policy["completionTimeout"] = 7
    for other in (replay, copy.deepcopy(replay), pickle.loads(pickle.dumps(replay))):
        assert other.digest == "db1456f6d8c146ea"
    # The child ends as a program does.
    code = f"""import os, sys, rouse
replay = rouse.replay({str(WATCH)!r}, {{"preset": "ios"}})
child = os.fork()
if not child:
    sys.exit(0)
os.waitpid(child, 0)
print(replay.wakes().columns[0])"""
    environment = {**os.environ, "PYTHONPATH": ":".join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.stdout == "device\n", done.stderr


def test_why(command):
    why = rouse.replay(WATCH, POLICY).why("com.example.heart", longest=1)
    assert str(why) == command("explain", WATCH, "--policy", POLICY, "--app", "com.example.heart", "--longest", 1)
    assert len(why.data["stories"]) == 1
    with pytest.raises(rouse.Error, match="nearest: 'com.example.heart'"):
        rouse.replay(WATCH, POLICY).why("com.example.haert")
    with pytest.raises(rouse.Error, match="whole traces"):
        rouse.replay(WATCH, POLICY, start="2026-01-01").why("com.example.heart")


def test_sweep(command):
    pyarrow = pytest.importorskip("pyarrow")
    import csv
    import io
    swept = pyarrow.table(rouse.replay(WATCH, POLICY).sweep({"budget.limit": [2, 4], "carry": ["launch", "always"]}))
    text = command("sweep", WATCH, "--policy", POLICY, "-L", "budget.limit", "2,4", "-L", "carry", "launch,always", "--csv")
    head, *rows = csv.reader(io.StringIO(text))
    assert swept.column_names == head
    found = [["" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
              for value in row.values()] for row in swept.to_pylist()]
    assert found == rows


def test_one_value_and_values_of_numpy():
    pyarrow = pytest.importorskip("pyarrow")
    numpy = pytest.importorskip("numpy")
    replay = rouse.replay(WATCH, POLICY)

    def digests(values):
        return pyarrow.table(replay.sweep(values))["digest"].to_pylist()
    several = digests({"budget.limit": [1, 2, 3], "carry": ["launch"]})
    assert digests({"budget.limit": numpy.arange(1, 4), "carry": "launch"}) == several
    assert digests({"budget.limit": [numpy.int64(1), numpy.int8(2), 3], "carry": "launch"}) == several
    assert digests({"budget.limit": 2, "carry": "launch"}) == several[1:2]
    assert digests({"budget.limit": numpy.int64(2), "carry": "launch"}) == several[1:2]
    policy = json.loads(POLICY.read_text())
    one = rouse.replay(WATCH, {**policy, "completionTimeout": 7}).digest
    assert rouse.replay(WATCH, {**policy, "completionTimeout": numpy.int64(7)}).digest == one
    with pytest.raises(rouse.Error, match="is no value of a policy"):
        rouse.replay(WATCH, {"completionTimeout": {7}})


def test_a_time_of_pandas_is_exact(tmp_path):
    pandas = pytest.importorskip("pandas")
    times = [1767225600000000000 + number for number in range(3000)]
    lines = "".join('{"t":%d,"k":"save","type":"HKWorkoutTypeIdentifier","source":"W"}\n' % time for time in times)
    rouse.run("import", "jsonl", "-", "-o", tmp_path / "a.wtrace", input=lines.encode())
    for time in (times[1501], times[2999], -1_500_000_001):
        given = pandas.Timestamp(time, tz="UTC")
        assert rouse.replay(tmp_path / "a.wtrace", start=given).summary == rouse.replay(tmp_path / "a.wtrace", start=time).summary
        assert rouse.replay(tmp_path / "a.wtrace", start=given.tz_convert("Asia/Tokyo"))._start == str(time)


def test_warnings_are_of_the_line_that_asks(tmp_path):
    damaged = bytearray(WATCH.read_bytes())
    damaged[len(damaged) // 2] ^= 255
    (tmp_path / "a.wtrace").write_bytes(damaged)
    for ask in (lambda replay: replay.result, lambda replay: replay.digest, lambda replay: replay.apps(),
                lambda replay: replay.samples(), lambda replay: replay.wakes()):
        with pytest.warns(UserWarning, match="skipped: .*a.wtrace: byte") as caught:
            ask(rouse.replay(tmp_path / "a.wtrace", POLICY, keep_going=True))
        assert {warning.filename for warning in caught} == {__file__}


def test_a_device_that_no_input_has_is_warned_of():
    with pytest.warns(UserWarning, match="^no input has the device 'nobody'") as caught:
        assert rouse.replay(WATCH, POLICY, devices="nobody").summary["inputs"] == 0
    assert {warning.filename for warning in caught} == {__file__}


def test_a_type_that_no_input_has_is_warned_of():
    with pytest.warns(UserWarning, match="^no save or delete has the type 'nothing'"):
        assert rouse.replay(WATCH, POLICY, types="nothing").summary["saves"] == 0


def test_a_difference_is_no_failure_where_it_is_accepted():
    options = ("compare", WATCH, "--policy", POLICY, "--against", "ios")
    with pytest.raises(rouse.Error, match="found a difference"):
        rouse.run(*options)
    assert rouse.run(*options, accept=(0, 2))


def test_an_error_tells_what_is_wrong_with_a_trace(tmp_path):
    (tmp_path / "cut.wtrace").write_bytes(WATCH.read_bytes()[:-5])
    with pytest.raises(rouse.Error, match="cut.wtrace: 1 problem; "):
        rouse.run("verify", tmp_path / "cut.wtrace")


def test_without_the_command_an_import_error(monkeypatch, tmp_path):
    monkeypatch.setenv("ROUSE_COMMAND", str(tmp_path / "none"))
    with pytest.raises(ImportError, match="none is not there: install the wheel"):
        rouse.run("info", WATCH)


def test_options_out_of_range():
    for threads in (0, -1, 1025, 2**40):
        with pytest.raises(rouse.Error, match="not from 1 to 1024"):
            rouse.replay(WATCH, POLICY, threads=threads)
    with pytest.raises(rouse.Error, match="has a comma"):
        rouse.replay(WATCH, POLICY).sweep({"carry": ["launch,always"]})


def test_report_and_import(tmp_path):
    page = rouse.replay(WATCH, POLICY).report(tmp_path / "page.html")
    assert "<svg" in page.read_text()
    trace = rouse.import_health(ROOT / "Tests/WakeImportTests/Resources/AppleHealth/dogsheep.xml", tmp_path / "a.wtrace")
    assert rouse.replay(trace).summary["saves"] > 0
    with pytest.raises(rouse.Error, match="none.zip"):
        rouse.import_health(tmp_path / "none.zip", tmp_path / "b.wtrace")


def test_a_path_that_begins_with_a_dash(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-day.wtrace").write_bytes(WATCH.read_bytes())
    assert rouse.replay("-day.wtrace", POLICY).digest == "db1456f6d8c146ea"


def test_paths_are_of_the_folder_in_which_they_were_given(tmp_path, monkeypatch):
    (tmp_path / "far/below").mkdir(parents=True)
    (tmp_path / "link").symlink_to("far/below")
    (tmp_path / "far/day.wtrace").write_bytes(WATCH.read_bytes())
    (tmp_path / "policy.json").write_bytes(POLICY.read_bytes())
    monkeypatch.chdir(tmp_path)
    replay, saves = rouse.replay("link/../day.wtrace", "policy.json"), rouse.samples("link/../day.wtrace")
    monkeypatch.chdir("/")
    assert replay.wakes().columns and saves.columns
    assert replay.digest == "db1456f6d8c146ea"


def test_standard_streams_and_empty_paths_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    replay = rouse.replay(WATCH, POLICY)
    export = ROOT / "Tests/WakeImportTests/Resources/AppleHealth/dogsheep.xml"
    for path, message in (("-", "standard input or output"), ("", "a path is empty")):
        for ask in (lambda: rouse.replay(path), lambda: rouse.replay(WATCH, path), lambda: rouse.samples(path),
                    lambda: replay.report(path), lambda: rouse.import_health(path, "a.wtrace"),
                    lambda: rouse.import_health(export, path), lambda: rouse.tasks.Policies.of(path),
                    lambda: rouse.Table.open("wakes", [str(WATCH)], policy=path)):
            with pytest.raises(rouse.Error, match=message):
                ask()
    assert "<svg" in replay.report("./-").read_text()
    (tmp_path / "-").write_bytes(WATCH.read_bytes())
    assert rouse.replay("./-", POLICY).wakes().columns and rouse.samples("./-").columns


def test_output_that_is_not_text():
    with pytest.raises(rouse.Error, match="write it to a file, with -o FILE"):
        rouse.run("repack", WATCH, "-o", "-")
