#!/usr/bin/env python3
"""Makes the export.zip of an imagined user of Apple's Health app, as large as wanted, in the form that a phone gives.

    Benchmarks/health.py [--records 2000000] [--years 2] [--language en|de|zh] [--seed 1] export.zip

A watch measures heart rate, energy and steps all day and sleep at night, and the phone gets them in batches; the phone
counts steps too; there are workouts with heart rate every few seconds, a scale and a blood pressure cuff. Records stand
by type, as in an export, not by time. Equal arguments give equal records.
"""
import argparse, datetime, random, zipfile

FOLDERS = {"en": ("apple_health_export", "export.xml", "export_cda.xml"),
           "de": ("apple_health_export", "Exportieren.xml", "export_cda.xml"),
           "zh": ("apple_health_export", "导出.xml", "export_cda.xml")}
PREFIX = "HKQuantityTypeIdentifier"
# Type, unit, source, share of the records, seconds that a sample lasts, least and greatest value.
KINDS = [
    ("HeartRate", "count/min", "Watch", 0.42, 0, 48, 170),
    ("ActiveEnergyBurned", "kcal", "Watch", 0.20, 60, 0.1, 9),
    ("BasalEnergyBurned", "kcal", "Watch", 0.12, 900, 10, 20),
    ("StepCount", "count", "Watch", 0.09, 60, 1, 130),
    ("StepCount", "count", "iPhone", 0.06, 300, 1, 600),
    ("DistanceWalkingRunning", "km", "iPhone", 0.06, 300, 0.01, 0.5),
    ("RespiratoryRate", "count/min", "Watch", 0.02, 0, 11, 19),
    ("OxygenSaturation", "%", "Watch", 0.015, 0, 0.92, 1),
    ("HeartRateVariabilitySDNN", "ms", "Watch", 0.01, 60, 15, 120),
    ("BodyMass", "kg", "Scale", 0.0005, 0, 70, 75),
]
DEVICE = ("&lt;&lt;HKDevice: 0x301f4a2b0&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, "
          "hardware:Watch6,2, software:10.4&gt;")
SOURCES = {"Watch": ("Ada’s Apple Watch", "10.4", f' device="{DEVICE}"'), "iPhone": ("Ada’s iPhone", "17.4.1", ""),
           "Scale": ("Scale &amp; Co", "3.2", "")}
BEGIN = datetime.datetime(2023, 1, 1)


def date(second):
    return f"{BEGIN + datetime.timedelta(seconds=second):%Y-%m-%d %H:%M:%S} +0100"


def saved(source, end, chance):
    """When the phone has a sample: at once its own; the watch's every few minutes, at night less often."""
    if source != "Watch":
        return end + 2
    period = 3600 if end % 86400 < 7 * 3600 else chance.choice((120, 300, 900))
    return end - end % period + period


def record(kind, start, chance):
    name, unit, source, _, lasts, low, high = kind
    label, version, device = SOURCES[source]
    end = start + lasts
    return (f' <Record type="{PREFIX}{name}" sourceName="{label}" sourceVersion="{version}"{device} unit="{unit}" '
            f'creationDate="{date(saved(source, end, chance))}" startDate="{date(start)}" endDate="{date(end)}" '
            f'value="{round(chance.uniform(low, high), 2):g}"/>\n')


def sleep(day, chance):
    at, label = day * 86400 - 3600 + chance.randrange(3600), SOURCES["Watch"][0]
    morning = day * 86400 + 6 * 3600 + chance.randrange(3600)
    while at < morning:
        end = at + chance.randrange(300, 3600)
        stage = chance.choice(("AsleepCore", "AsleepDeep", "AsleepREM", "Awake"))
        yield (f' <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="{label}" sourceVersion="10.4" '
               f'creationDate="{date(morning + 600)}" startDate="{date(at)}" endDate="{date(end)}" '
               f'value="HKCategoryValueSleepAnalysis{stage}"/>\n')
        at = end


def workout(day, chance):
    start = day * 86400 + 17 * 3600 + chance.randrange(7200)
    end = start + chance.randrange(1200, 5400)
    return (f' <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="{(end - start) / 60:g}" '
            f'durationUnit="min" sourceName="{SOURCES["Watch"][0]}" sourceVersion="10.4" '
            f'creationDate="{date(end + 5)}" startDate="{date(start)}" endDate="{date(end)}">\n'
            f'  <MetadataEntry key="HKIndoorWorkout" value="0"/>\n </Workout>\n')


def parts(records, days, seed):
    chance = random.Random(seed)
    yield ('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE HealthData [\n<!-- HealthKit Export Version: 13 -->\n'
           '<!ELEMENT HealthData (ExportDate,Me,(Record|Workout)*)>\n]>\n<HealthData locale="en_GB">\n'
           f' <ExportDate value="{date(days * 86400)}"/>\n'
           ' <Me HKCharacteristicTypeIdentifierDateOfBirth="1985-12-10"/>\n')
    nights = [line for day in range(1, days) for line in sleep(day, chance)]
    workouts = [workout(day, chance) for day in range(1, days, 2)]
    rest = records - len(nights) - len(workouts)
    sum_of_shares = sum(kind[3] for kind in KINDS)
    for number, kind in enumerate(KINDS):
        count = int(rest * kind[3] / sum_of_shares) if number else rest - sum(
            int(rest * other[3] / sum_of_shares) for other in KINDS[1:])
        at, gap = 0.0, days * 86400 / max(1, count)
        for _ in range(count):
            at += chance.random() * 2 * gap
            yield record(kind, int(at), chance)
    yield from nights
    yield from workouts
    yield "</HealthData>\n"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--records", type=int, default=2_000_000)
    arguments.add_argument("--years", type=float, default=2)
    arguments.add_argument("--language", choices=FOLDERS, default="en")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("output")
    options = arguments.parse_args()
    folder, export, document = FOLDERS[options.language]
    with zipfile.ZipFile(options.output, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{folder}/{document}", '<?xml version="1.0"?>\n<ClinicalDocument/>\n')
        archive.writestr(f"{folder}/workout-routes/route_2023-01-02.gpx", "<gpx/>\n")
        with archive.open(f"{folder}/{export}", "w", force_zip64=True) as file:
            lines = []
            for part in parts(options.records, int(options.years * 365), options.seed):
                lines.append(part)
                if len(lines) == 10_000:
                    file.write("".join(lines).encode())
                    lines.clear()
            file.write("".join(lines).encode())


main()
