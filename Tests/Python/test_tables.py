"""Tables against those of `rouse export csv`, row by row, through each library that takes them."""
import csv
import gc
import importlib.util
import io
import sys
from datetime import datetime, timezone

import pytest
import rouse
from conftest import TRACES

pyarrow = pytest.importorskip("pyarrow")


def text(nanoseconds):
    """A time as the tables of the command write it."""
    seconds, rest = divmod(nanoseconds, 10**9)
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S") + f".{rest:09}Z"


def rows_of(table):
    """The rows as the command's CSV would have them: an empty text for null."""
    arrow = pyarrow.table(table)
    columns = {}
    for name in arrow.column_names:
        column = arrow[name]
        values = column.cast(pyarrow.int64()).to_pylist() if pyarrow.types.is_timestamp(column.type) else column.to_pylist()
        if pyarrow.types.is_timestamp(column.type):
            values = [None if value is None else text(value) for value in values]
        columns[name] = values

    def cell(name, value):
        if value is None:
            return ""
        if name == "types":
            return str(len(value))
        if name == "reasons":
            return "+".join(value)
        if isinstance(value, bool):
            return str(value).lower()
        return repr(value) if isinstance(value, float) else str(value)
    return [[cell(name, value) for name, value in zip(columns, row)] for row in zip(*columns.values())], list(columns)


def expected(command, name, trace, policy):
    options = [] if name == "samples" else ["--policy", policy]
    head, *rows = csv.reader(io.StringIO(command("export", "csv", trace, "--table", name, *options)))
    return rows, head


@pytest.mark.parametrize("name", ["wakes", "items", "waits", "samples"])
def test_tables_equal_those_of_the_command(command, golden, name):
    compared = 0
    for trace, policy, _ in golden:
        replay = rouse.replay(trace, policy)
        found, columns = rows_of(getattr(replay, name)())
        rows, head = expected(command, name, trace, policy)
        if name == "samples":  # 1.0 in Python is 1.0 in Swift, but exponents differ.
            found = [row[:-1] + [float(row[-1]) if row[-1] else None] for row in found]
            rows = [row[:-1] + [float(row[-1]) if row[-1] else None] for row in rows]
        assert columns == head
        assert found == rows, trace
        compared += len(rows)
    assert compared > 1000


def test_digest_and_counts_are_those_of_the_golden_summaries(golden):
    for trace, policy, summary in golden:
        replay = rouse.replay(trace, policy)
        assert replay.summary == summary
        assert pyarrow.table(replay.wakes()).num_rows == replay.summary["wakes"]


def test_wakes_list_their_types():
    wakes = pyarrow.table(rouse.replay(TRACES / "watch-day.wtrace", TRACES / "watch-day.policy.json").wakes())
    types = [names for names in wakes["types"].to_pylist() if names]
    assert types and all(name.startswith("HK") for names in types for name in names)
    assert all(names == sorted(names) for names in types)


def test_pushes_and_refreshes_have_no_saves():
    items = pyarrow.table(rouse.replay(TRACES / "pushes.wtrace", TRACES / "pushes.policy.json").items())
    rows = list(zip(items["item"].to_pylist(), items["saves"].to_pylist()))
    assert {kind for kind, _ in rows} >= {"type", "push"}
    assert all((saves is None) == (kind != "type") for kind, saves in rows)
    assert all(saves > 0 for kind, saves in rows if kind == "type")


def test_types_of_columns():
    replay = rouse.replay(TRACES / "fleet.wtrace")
    name = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    time = pyarrow.timestamp("ns", "UTC")
    wakes, samples = pyarrow.table(replay.wakes()).schema, pyarrow.table(replay.samples()).schema
    assert wakes.field("t").type == time and wakes.field("app").type == name
    assert wakes.field("types").type == pyarrow.list_(name)
    assert wakes.field("saves").type == pyarrow.int64() and wakes.field("refresh").type == pyarrow.bool_()
    assert wakes.field("push").type == pyarrow.string()
    assert samples.field("value").type == pyarrow.float64() and samples.field("device").type == name


def test_a_table_is_taken_more_than_once_and_outlives_its_object():
    table = rouse.replay(TRACES / "fleet.wtrace", TRACES / "fleet.policy.json").wakes()
    first, second = pyarrow.table(table), pyarrow.table(table)
    del table
    gc.collect()
    assert first.equals(second)
    assert first.num_rows > 100
    first.validate(full=True)


def test_capsules_that_nobody_takes_are_released():
    table = rouse.samples(TRACES / "fleet.wtrace")
    for _ in range(100):
        table.__arrow_c_stream__()
    gc.collect()
    assert table.columns[0] == "device"
    assert "device" in repr(table)


@pytest.mark.parametrize("name", ["wakes", "items", "waits", "samples"])
def test_arrays_are_valid(golden, name):
    for trace, policy, _ in golden:
        pyarrow.table(getattr(rouse.replay(trace, policy, threads=2), name)()).validate(full=True)


def test_threads_do_not_change_the_rows(golden):
    for trace, policy, _ in golden:
        one, two = (pyarrow.table(rouse.replay(trace, policy, threads=count).waits()) for count in (1, 2))
        assert [one[name].to_pylist() for name in one.column_names] == [two[name].to_pylist() for name in two.column_names]


def test_selections(command):
    trace, policy = TRACES / "fleet.wtrace", TRACES / "fleet.policy.json"
    chosen = rouse.replay(trace, policy, devices=["device-001", "device-002"])
    assert chosen.digest == rouse.replay(trace, policy, devices=["device-002", "device-001"]).digest
    wakes = pyarrow.table(chosen.wakes())
    assert set(wakes["device"].to_pylist()) <= {"device-001", "device-002"}
    assert wakes.num_rows == chosen.summary["wakes"] > 0
    samples = pyarrow.table(rouse.samples(trace, devices="device-001"))
    assert set(samples["device"].to_pylist()) == {"device-001"}
    times = sorted(samples["t"].cast(pyarrow.int64()).to_pylist())
    middle = times[len(times) // 2]
    after = pyarrow.table(rouse.samples(trace, devices="device-001", start=middle))
    assert after.num_rows == sum(time >= middle for time in times)
    before = pyarrow.table(rouse.samples(trace, devices="device-001", end=text(middle)))
    assert before.num_rows == sum(time < middle for time in times)
    kind = samples["type"].to_pylist()[0]
    some = pyarrow.table(rouse.samples(trace, types=kind, devices="device-001"))
    assert some.num_rows == samples["type"].to_pylist().count(kind)


def test_several_traces_are_merged(command, tmp_path):
    traces = [TRACES / "fleet.wtrace", TRACES / "watch-day.wtrace"]
    found, _ = rows_of(rouse.samples(traces))
    rows = list(csv.reader(io.StringIO(command("export", "csv", *traces, "--table", "samples"))))[1:]
    assert len(found) == len(rows) and [row[:5] for row in found] == [row[:5] for row in rows]


def test_polars():
    polars = pytest.importorskip("polars")
    replay = rouse.replay(TRACES / "watch-day.wtrace", TRACES / "watch-day.policy.json")
    frame = polars.DataFrame(replay.wakes())
    assert len(frame) == replay.summary["wakes"]
    assert frame["saves"].sum() == sum(app["saves"] for app in replay.result["apps"])
    assert frame.schema["t"] == polars.Datetime("ns", "UTC")
    by_app = dict(frame.group_by("app").len().iter_rows())
    assert by_app == {app["app"]: app["wakes"] for app in replay.result["apps"] if app["wakes"]}
    assert frame["types"].list.len().max() > 1
    waits = replay.waits().to_polars().explode("reasons")
    assert "budget" in waits["reasons"].cast(polars.String).unique().to_list()


def test_pandas():
    pandas = pytest.importorskip("pandas")
    replay = rouse.replay(TRACES / "watch-day.wtrace", TRACES / "watch-day.policy.json")
    frame = replay.wakes().to_pandas()
    assert len(frame) == replay.summary["wakes"]
    assert str(frame["t"].dtype) == "datetime64[ns, UTC]"
    assert frame.groupby("app", observed=True).size().to_dict() == {
        app["app"]: app["wakes"] for app in replay.result["apps"] if app["wakes"]}
    if hasattr(pandas.DataFrame, "from_arrow"):
        assert len(pandas.DataFrame.from_arrow(replay.wakes())) == len(frame)


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    replay = rouse.replay(TRACES / "watch-day.wtrace", TRACES / "watch-day.policy.json")
    wakes, waits = replay.wakes(), replay.waits()
    counts = dict(duckdb.sql("SELECT app::VARCHAR, count(*) FROM wakes GROUP BY 1").fetchall())
    assert counts == {app["app"]: app["wakes"] for app in replay.result["apps"] if app["wakes"]}
    assert duckdb.sql("SELECT sum(saves) FROM wakes").fetchall()[0][0] == sum(app["saves"] for app in replay.result["apps"])
    held = duckdb.sql("SELECT r::VARCHAR, sum(ns) FROM (SELECT unnest(reasons) r, ns FROM waits WHERE ending IS NULL) "
                      "GROUP BY 1 ORDER BY 2 DESC").fetchall()
    assert {held[0][0], held[1][0]} == {"budget", "period"}
    assert duckdb.sql("SELECT max(len(types)) FROM wakes").fetchall()[0][0] > 1


def test_tables_of_json():
    rows = '[{"a": 1, "b": 1, "c": "x", "d": [], "e": null}, {"b": 0.5, "c": null, "d": ["y", "z"], "f": true}]'
    table = rouse.Table.of_json(rows)
    assert pyarrow.table(table).to_pylist() == [
        {"a": 1, "b": 1.0, "c": "x", "d": [], "e": None, "f": None},
        {"a": None, "b": 0.5, "c": None, "d": ["y", "z"], "e": None, "f": True}]
    assert pyarrow.table(rouse.Table.of_json("[]")).num_rows == 0
    for wrong in ("{}", "[1]", '[{"a": 1}, {"a": "x"}]', '[{"a": {}}]', "[", '[{"a": [1]}]'):
        with pytest.raises(rouse.Error):
            rouse.Table.of_json(wrong)


def test_many_nulls_around_the_bits_of_a_byte():
    for count in (1, 7, 8, 9, 63, 64, 65):
        values = [place if place % 3 else None for place in range(count)]
        flags = [None if place % 5 == 1 else place % 2 == 0 for place in range(count)]
        json = "[" + ",".join(f'{{"n": {"null" if n is None else n}, "f": {"null" if f is None else str(f).lower()}}}'
                              for n, f in zip(values, flags)) + "]"
        table = pyarrow.table(rouse.Table.of_json(json))
        assert [table["f"].to_pylist(), table["n"].to_pylist()] == [flags, values] or count == 1


def test_memory_does_not_grow():
    resource = pytest.importorskip("resource")
    replay = rouse.replay(TRACES / "watch-day.wtrace", TRACES / "watch-day.policy.json", threads=1)

    def take():
        for _ in range(60):
            pyarrow.table(replay.waits())
            pyarrow.table(rouse.samples(TRACES / "watch-day.wtrace"))
            replay.wakes().__arrow_c_stream__()
            rouse.Table.of_json('[{"a": "x"}]').columns
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    before = take()
    for _ in range(3):
        after = take()
    assert after - before < 12_000, f"{after - before} KiB more"


def test_errors_name_file_and_remedy(tmp_path):
    def message(call):
        with pytest.raises(rouse.Error) as raised:
            call()
        text = str(raised.value)
        assert "\n" not in text and not text.startswith("rouse:"), text
        return text
    missing = tmp_path / "none.wtrace"
    assert str(missing) in message(lambda: rouse.samples(missing))
    assert str(missing) in message(lambda: rouse.replay(missing).wakes())
    assert str(missing) in message(lambda: rouse.replay(missing).summary)
    trace = TRACES / "fleet.wtrace"
    assert "presets are ios, watchos" in message(lambda: rouse.replay(trace, "IOS").wakes())
    assert "budget" in message(lambda: rouse.replay(trace, {"budget": 3}).wakes())
    assert "is not a time" in message(lambda: rouse.samples(trace, start="yesterday"))
    assert "time zone" in message(lambda: rouse.samples(trace, start=datetime(2026, 1, 1)))
    assert "liftable" in message(lambda: rouse.replay(trace, without="liftable").wakes())
    assert "no traces" in message(lambda: rouse.replay([]))
    assert "is not one of wakes, items, waits, samples" in message(lambda: rouse.Table.open("apps", [str(trace)]))
    damaged = tmp_path / "damaged.wtrace"
    content = bytearray(trace.read_bytes())
    content[len(content) // 2] ^= 0xFF
    damaged.write_bytes(content)
    assert str(damaged) in message(lambda: rouse.replay(damaged).wakes())
    with pytest.raises(Exception, match="damaged.wtrace: byte"):
        pyarrow.table(rouse.samples(damaged))
    saves = rouse.samples(damaged)
    for name, library in (("to_arrow", "pyarrow"), ("to_pandas", "pandas"), ("to_polars", "polars")):
        if importlib.util.find_spec(library):
            assert message(getattr(saves, name)).startswith(f"{damaged}: byte ")
    with pytest.warns(UserWarning, match="skipped: .*damaged.wtrace: byte"):
        wakes = rouse.replay(damaged, keep_going=True).wakes()
    pyarrow.table(wakes).validate(full=True)


def test_the_package_imports_nothing_else():
    import subprocess
    code = "import sys, rouse; print([n for n in ('numpy', 'pyarrow', 'pandas', 'polars', 'dask', 'fsspec') if n in sys.modules])"
    environment = {**__import__("os").environ, "PYTHONPATH": ":".join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.strip() == "[]"


def test_tables_are_not_copied_and_texts_have_no_nul():
    import copy
    table = rouse.samples(TRACES / "watch-day.wtrace")
    with pytest.raises(TypeError, match="cannot be copied"):
        copy.copy(table)
    with pytest.raises(rouse.Error, match="NUL"):
        rouse.samples(f"{TRACES}/watch-day.wtrace\0.other")
    with pytest.raises(rouse.Error, match="NUL"):
        rouse.run("info", f"{TRACES}/watch-day.wtrace\0.other")
    with pytest.raises(rouse.Error, match="is not UTF-8"):
        rouse.samples("\udcff.wtrace")
    with pytest.raises(rouse.Error, match="traces is the text 'a.wtrace'"):
        rouse.Table.open("wakes", "a.wtrace")


def test_a_library_that_is_missing(monkeypatch):
    saves = rouse.samples(TRACES / "watch-day.wtrace")
    for name, library in (("to_arrow", "pyarrow"), ("to_pandas", "pyarrow"), ("to_polars", "polars")):
        monkeypatch.setitem(sys.modules, library, None)
        with pytest.raises(rouse.Error, match=f"None in sys.modules: pip install {library}$"):
            getattr(saves, name)()
