"""A job for spark-submit: a release of a table on a cluster, verified and queried.

    spark-submit --master yarn --conf spark.executorEnv.PYTHONPATH=... examples/spark_job.py \
        hdfs:///data/people.parquet policy.yaml hdfs:///releases/people

The policy is the one of `covey anonymize`; covey is installed on every node (docs/spark.md).
"""

import sys

import covey
import covey.spark
from pyspark.sql import SparkSession


def main(source: str, policy: str, target: str) -> int:
    spark = SparkSession.builder.appName("covey").getOrCreate()
    try:
        release = covey.spark.anonymize(spark.read.parquet(source), covey.Policy.read(policy), target)
        verdict = covey.spark.verify(spark, target)
        for promise in release.manifest["promises"]:
            print(promise["model"], "achieved", promise["achieved"])
        print(release.manifest["published_rows"], "rows in", release.manifest["classes"], "classes; holds:", verdict.holds)
        return 0 if verdict.holds else 1
    except covey.Error as error:
        print(f"covey: {error}", file=sys.stderr)
        return error.code
    finally:
        spark.stop()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: spark_job.py TABLE.parquet POLICY.yaml RELEASE")
    sys.exit(main(*sys.argv[1:]))
