#!/usr/bin/env python3
"""A component in Python that records, through ctypes.

    component.py LIBRARY TRACE      LIBRARY is librouse.so.0
"""
import ctypes
import sys
from ctypes import byref, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64


class Options(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("trace", c_char_p), ("mode", c_int32), ("level", c_int32),
        ("ring_folder", c_char_p), ("device", c_char_p), ("slots_per_ring", c_uint32),
        ("events_per_block", c_uint32), ("flush_seconds", c_double),
        ("seconds_per_file", c_double), ("bytes_per_file", c_int64)]


class Event(ctypes.Structure):
    _fields_ = (
        [("size", c_size_t), ("kind", c_int32), ("has", c_uint32), ("time", c_int64)]
        + [(name, c_uint32) for name in ("device", "app", "type", "source", "query")]
        + [(name, c_int32) for name in (
            "frequency", "item", "result", "status", "is_on", "strict_start", "strict_end")]
        + [(name, c_int64) for name in ("start", "end")]
        + [(name, c_double) for name in ("value", "min", "max", "interval", "priority")]
        + [(name, c_char_p) for name in ("id", "aps", "push_type")])

    def __init__(self, kind, **parts):
        super().__init__(size=ctypes.sizeof(Event), kind=kind, **parts)


TYPE, SOURCE, APP = 0, 1, 2
ENABLE, COMPLETE = 2, 7
# The event is recorded; rouse_close tells why it could not be written.
NOT_WRITTEN = 1


def main(library, trace):
    rouse = ctypes.CDLL(library)
    rouse.rouse_last_error.restype = rouse.rouse_text.restype = c_char_p

    def call(function, *arguments):
        code = function(*arguments)
        if code > NOT_WRITTEN:
            # A save sets no message.
            text = rouse.rouse_text(code) if function is rouse.rouse_save else rouse.rouse_last_error()
            raise OSError(text.decode())

    recorder, producer = c_uint64(), c_uint64()
    kind, source, app = c_uint32(), c_uint32(), c_uint32()
    options = Options(size=ctypes.sizeof(Options), trace=trace.encode())
    call(rouse.rouse_open, byref(options), byref(recorder))
    call(rouse.rouse_name, recorder, TYPE, b"HKWorkoutTypeIdentifier", byref(kind))
    call(rouse.rouse_name, recorder, SOURCE, "Ingrids Uhr ⌚".encode(), byref(source))
    call(rouse.rouse_name, recorder, APP, b"com.example.run", byref(app))
    call(rouse.rouse_producer_open, recorder, byref(producer))
    call(rouse.rouse_record, producer, byref(Event(ENABLE, app=app, type=kind)))
    for number in range(1000):
        call(rouse.rouse_save, producer, c_int64(number * 10**9), kind, source)
    call(rouse.rouse_record, producer, byref(Event(COMPLETE, time=10**12, app=app)))
    call(rouse.rouse_close, recorder)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
