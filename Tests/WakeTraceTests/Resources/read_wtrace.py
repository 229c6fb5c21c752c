#!/usr/bin/env python3
"""Prints the inputs of a trace as JSON Lines, device by device: a reader after Format.md alone."""
import json
import struct
import sys
import zlib

KINDS = ("save delete enable disable disableAll execute stop complete launch background terminate "
         "forceQuit push refreshInterval refreshStatus complication entitlement network power lock "
         "unlock reboot observed").split()
FREQUENCIES = ["immediate", "hourly", "daily", "weekly"]
RESULTS = ["newData", "noData", "failed"]
STATUSES = ["available", "denied", "restricted"]
OUTCOMES = ["completed", "expired", "aborted", "open"]
COLUMNS = ((1, 2, 3, 4, 5, 6, 7, 8), (16, 17, 18, 19), (1, 2, 3, 4, 5, 6, 7, 8, 32))
MASK = (1 << 64) - 1


def check(condition, message):
    if not condition:
        sys.exit("damaged: " + message)


def signed(number):
    number &= MASK
    return number - (1 << 64) if number >> 63 else number


class Reader:
    """Takes numbers and texts from bytes."""

    def __init__(self, data):
        self.data, self.place = data, 0

    def take(self, count):
        check(self.place + count <= len(self.data), "a column ends early")
        self.place += count
        return self.data[self.place - count:self.place]

    def unpack(self, layout):
        return struct.unpack("<" + layout, self.take(struct.calcsize("<" + layout)))

    def byte(self):
        return self.take(1)[0]

    def varint(self):
        number = shift = 0
        while True:
            byte = self.byte()
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                check(number <= MASK, "a varint is too long")
                return number

    def zigzag(self):
        number = self.varint()
        return (number >> 1) ^ -(number & 1)

    def text(self):
        return self.take(self.varint()).decode("utf-8")

    def flag(self):
        return [False, True][self.byte()]

    def integers(self, count):
        """An integer column."""
        per_byte = self.byte()
        entries = [None] * (self.byte() + 1)
        for index in range(len(entries)):
            base = self.zigzag()
            entries[index] = (base, self.byte())
        mantissa_bytes = self.varint()
        if len(entries) == 1:
            symbols = [0] * count
        elif per_byte == 1:
            symbols = self.take(count)
        else:
            packed = self.take((count + 1) // 2)
            symbols = [packed[i // 2] >> 4 * (i % 2) & 15 for i in range(count)]
        mantissas, bit, values = self.take(mantissa_bytes), 0, []
        for symbol in symbols:
            base, bits = entries[symbol]
            last = bit + bits
            chunk = int.from_bytes(mantissas[bit // 8:(last + 7) // 8], "little")
            values.append(signed(base + (chunk >> bit % 8 & (1 << bits) - 1)))
            bit = last
        check((bit + 7) // 8 == mantissa_bytes, "mantissas do not fit their entries")
        return values

    def end(self):
        check(self.place == len(self.data), "a column has bytes too many")


def read_member(data, place):
    """The header's numbers and the columns of a member."""
    check(data[place:place + 4] == b"\x1f\x8b\x08\x04", f"no member at byte {place}")
    extra, mark, length = struct.unpack_from("<H2sH", data, place + 10)
    check(mark == b"RW", f"no trace, but other gzip at byte {place}")
    header = data[place + 16:place + 16 + length]
    check(header[0] == 1, f"unknown version {header[0]}")
    check(zlib.crc32(header[:-4]) == struct.unpack("<I", header[-4:])[0], "a header's CRC")
    names = "version role flags member payload events stream sequence runs types earliest latest lost deletes"
    values = dict(zip(names.split(), struct.unpack_from("<BBHIIIQIHHqqQI", header)))
    check(length == 64 + 12 * (values["runs"] + values["types"]), "a header's length")
    member = data[place:place + values["member"]]
    check(len(member) == values["member"], "the file ends within a block")
    inflater = zlib.decompressobj(-15)
    payload = inflater.decompress(member[12 + extra:-8], values["payload"] + 1)
    check(inflater.eof and not inflater.unused_data, "a deflate stream's end")
    check((zlib.crc32(payload), len(payload)) == struct.unpack("<II", member[-8:]), "a CRC")
    check(len(payload) == values["payload"], "a payload's length")
    directory, columns = Reader(payload), {}
    sizes = [directory.unpack("BI") for _ in range(directory.byte())]
    for identifier, size in sizes:
        known = identifier in COLUMNS[values["role"]]
        check(known or identifier >= 128, f"unknown column {identifier}")
        column = directory.take(size)
        if known:
            columns[identifier] = Reader(column)
    directory.end()
    return values, columns


def read_other(kind, reader, names):
    """The fields of an input that is neither save nor delete; texts of `aps` stay as they are."""
    _, types, sources, apps, queries = names
    fields = {}
    if kind == "refreshStatus":
        place = reader.varint()
        return {"app": apps[place - 1] if place else "*", "status": STATUSES[reader.byte()]}
    if kind in ("network", "power"):
        return {"good": reader.flag()}
    if kind in ("lock", "unlock", "reboot"):
        return fields
    fields["app"] = apps[reader.varint()]
    if kind in ("execute", "stop"):
        fields["query"] = queries[reader.varint()]
    if kind in ("enable", "disable", "execute"):
        fields["type"] = types[reader.varint()]
    if kind == "enable":
        fields["frequency"] = FREQUENCIES[reader.byte()]
    elif kind == "execute":
        parts, predicate = reader.byte(), {}
        for bit, name, read in (
                (2, "source", lambda: sources[reader.varint()]),
                (4, "start", lambda: reader.unpack("q")[0]),
                (8, "end", lambda: reader.unpack("q")[0]),
                (16, "min", lambda: reader.unpack("d")[0]),
                (32, "max", lambda: reader.unpack("d")[0]),
                (64, "strictStart", reader.flag), (128, "strictEnd", reader.flag)):
            if parts & bit:
                predicate[name] = read()
        if parts:
            check(parts & 1, "parts without a predicate")
            fields["predicate"] = predicate
    elif kind == "complete":
        item = reader.byte()
        if item:
            fields["item"] = ("push", "refresh")[item - 1] if item < 3 else types[reader.varint()]
        result = reader.byte()
        if result:
            fields["result"] = RESULTS[result - 1]
    elif kind == "push":
        fields["id"], parts = reader.text(), reader.byte()
        check(parts < 32, "a push has unknown parts")
        if parts & 1:
            fields["aps"] = reader.text()
        if parts & 2:
            reader.unpack("d")  # `aps` says it as well
        if parts & 8:
            fields["pushType"] = reader.text()
        if parts & 16:
            fields["priority"] = reader.unpack("d")[0]
    elif kind == "refreshInterval":
        word = reader.byte()
        fields["interval"] = ("never", "minimum")[word] if word < 2 else reader.unpack("d")[0]
    elif kind == "complication":
        fields["active"] = reader.flag()
    elif kind == "entitlement":
        fields["granted"] = reader.flag()
    elif kind == "observed":
        fields["types"] = [types[reader.varint()] for _ in range(reader.varint())]
        parts = reader.byte()
        check(parts < 16, "an observation has unknown parts")
        for bit, name, read in ((1, "push", reader.text), (2, "refresh", reader.flag),
                                (4, "outcome", lambda: OUTCOMES[reader.byte()]),
                                (8, "end", lambda: reader.unpack("q")[0])):
            if parts & bit:
                fields[name] = read()
    return fields


def read_runs(columns, count):
    """The runs of a block: device, home source, number of events, time of the first."""
    check((2 in columns) != (8 in columns), "runs in one shape")
    if 2 in columns:
        reader, origin, runs = columns[2], 0, []
        check(reader.varint() == count, "the number of runs")
        for _ in range(count):
            device, home, length = reader.varint(), reader.varint(), reader.varint()
            origin = signed(origin + reader.zigzag())
            runs.append((device, home, length, origin))
        reader.end()
        return runs
    reader = columns[8]
    origin, unit = reader.zigzag(), reader.varint()
    check(0 < unit < 1 << 63, "a unit of origins")
    fields = [reader.integers(count) for _ in range(4)]
    reader.end()
    device, runs = -1, []
    for step, home, length, distance in zip(*fields):
        device, origin = device + step, signed(origin + distance * unit)
        check(device >= 0 and home >= 0, "places of a run")
        runs.append((device, home, length, origin))
    return runs


def read_events(header, columns):
    """The events of a block as dictionaries, without details."""
    reader = columns[1]
    names = [[reader.text() for _ in range(reader.varint())] for _ in range(5)]
    reader.end()
    devices, types, sources, _, _ = names
    reader = columns[3]
    count = reader.varint()
    keys = list(zip(reader.take(count), [reader.varint() for _ in range(count)],
                    [reader.varint() for _ in range(count)]))
    reader.end()
    events = header["events"]
    if 4 in columns:
        reader = columns[4]
        unit = reader.varint()
        words = [(reader.varint(), reader.zigzag()) for _ in range(reader.byte() + 1)]
        rows = [words[word] for word in reader.take(events)]
    else:
        reader = columns[5]
        unit = reader.varint()
        steps = reader.integers(events)
        rows = list(zip(columns[6].integers(events), steps))
        columns[6].end()
    reader.end()
    inputs = []
    for device, home, length, time in read_runs(columns, header["runs"]):
        for key, step in rows[len(inputs):len(inputs) + length]:
            kind, type_place, source = keys[key]
            time = signed(time + step * unit)
            fields = {"t": time, "device": devices[device], "k": KINDS[kind]}
            if kind <= 1:
                fields["type"] = types[type_place]
                fields["source"] = sources[source - 1 if source else home]
            else:
                fields.update(read_other(KINDS[kind], columns[7], names))
            inputs.append(fields)
    times = [fields["t"] for fields in inputs]
    check(len(inputs) == events, "runs do not add up")
    check((min(times), max(times)) == (header["earliest"], header["latest"]), "times of a block")
    deletes = sum(fields["k"] == "delete" for fields in inputs)
    check(not header["flags"] & 32 or header["deletes"] == deletes, "deletes of a block")
    check(all((fields["k"] == "observed") == (header["role"] == 2) for fields in inputs), "a role")
    if 7 in columns:
        columns[7].end()
    return inputs


def join(columns, inputs, observations):
    """The events of a block in their order, given its observations and their columns."""
    joined, place = [], 0
    for observation, distance in zip(observations, columns[32].integers(len(observations))):
        check(0 <= distance <= len(inputs) - place, "a place of an observation")
        joined += inputs[place:place + distance] + [observation]
        place += distance
    columns[32].end()
    return joined + inputs[place:]


def add_details(columns, inputs):
    """Fills in starts, ends and values."""
    having = columns[16].integers(len(inputs))
    counts = [sum(1 for has in having if has & bit) for bit in (1, 2, 4)]
    reference = columns[17].byte() if 17 in columns else 0
    check(reference <= 1, "starts are told from something unknown")
    starts = iter(columns[17].integers(counts[0]) if counts[0] else [])
    ends = iter(columns[18].integers(counts[1]) if counts[1] else [])
    exponents = columns[19].take(columns[19].varint()) if counts[2] else b""
    numbers = iter(columns[19].integers(counts[2]) if counts[2] else [])
    for column in columns.values():
        column.end()
    previous_ends, exponent_of = {}, {}
    for fields, has in zip(inputs, having):
        check(has == 0 or fields["k"] == "save" and has < 8, "fields that no event has")
        if fields["k"] != "save":
            continue
        type_name, start = fields["type"], fields["t"]
        if has & 1:
            distance = next(starts)
            known = reference == 1 and type_name in previous_ends
            start = fields["start"] = signed(
                previous_ends[type_name] + distance if known else start - distance)
        end = start
        if has & 2:
            end = fields["end"] = signed(start + next(ends))
        previous_ends[type_name] = end
        if has & 4:
            number = next(numbers)
            if type_name not in exponent_of:
                exponent_of[type_name] = exponents[len(exponent_of)]
            exponent = exponent_of[type_name]
            fields["value"] = (struct.unpack("<d", struct.pack("<q", number))[0]
                               if exponent == 255 else float(number) / 10.0 ** exponent)


def line(fields):
    parts = []
    for name, value in fields.items():
        if name == "device" and not value:
            continue
        text = value if name == "aps" else json.dumps(value, ensure_ascii=False)
        parts.append(f"{json.dumps(name)}:{text}")
    return "{" + ",".join(parts) + "}\n"


def main(path):
    with open(path, "rb") as file:
        data = file.read()
    place, lines = 0, {}
    while place < len(data):
        header, columns = read_member(data, place)
        alone = header["role"] == 2 and header["flags"] & 128
        check(header["role"] == 0 or alone, "details or observations without their block")
        place += header["member"]
        inputs = read_events(header, columns)
        if alone:
            inputs = join(columns, [], inputs)
        if header["flags"] & 8:
            details, columns = read_member(data, place)
            check(details["role"] == 1 and all(details[name] == header[name] for name in (
                "events", "stream", "sequence", "earliest", "latest", "lost")), "other details")
            place += details["member"]
            add_details(columns, inputs)
        if not alone and header["flags"] & 64:
            observed, columns = read_member(data, place)
            check(observed["role"] == 2 and not observed["flags"] & 128 and all(
                observed[name] == header[name] for name in ("stream", "sequence", "lost")),
                "other observations")
            place += observed["member"]
            inputs = join(columns, inputs, read_events(observed, columns))
        for fields in inputs:
            lines.setdefault(fields["device"], []).append(line(fields))
    for device_lines in lines.values():
        sys.stdout.buffer.write("".join(device_lines).encode("utf-8"))


if __name__ == "__main__":
    main(sys.argv[1])
