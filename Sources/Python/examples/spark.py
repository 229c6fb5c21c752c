#!/usr/bin/env python3
"""Replays a fleet on Spark, and prints the result as `rouse merge --json` does.

    pip install pyspark fsspec rouse-….whl          # on every machine
    spark-submit spark.py URL… [--policy POLICY]…
"""
import argparse

from pyspark.sql import SparkSession
from rouse.tasks import Policies, merge_results, plan, replay_batch

parser = argparse.ArgumentParser()
parser.add_argument("urls", nargs="+")
parser.add_argument("--policy", action="append")
parser.add_argument("--task-bytes", type=int, default=64 << 20)
given = parser.parse_args()

policies = Policies.of(given.policy or "ios")
batches = plan(given.urls, task_bytes=given.task_bytes)


def merged(results):
    """The results of a partition as one."""
    found = list(results)
    return [merge_results(found)] if found else []


with SparkSession.builder.appName("rouse").getOrCreate() as spark:
    # One batch is one task, which Spark tries four times.
    results = spark.sparkContext.parallelize(batches, len(batches)).map(lambda batch: replay_batch(batch, policies))
    while results.getNumPartitions() > 1:
        # Each step merges sixteen partitions, on the executors.
        results = results.coalesce(-(-results.getNumPartitions() // 16), shuffle=True).mapPartitions(merged)
    print(merge_results(results.collect()), end="")
