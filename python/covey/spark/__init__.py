"""covey on Apache Spark: tables of a cluster, with the promises of one machine.

Spark counts, deals, sorts, repeats what was lost and writes; libcovey does in the executors what it does on one machine
(docs/spark.md). Needs PySpark 4 (``pip install ".[spark]"``) and covey on every node.
"""

from __future__ import annotations

from ._anonymize import anonymize
from ._query import query
from ._release import SparkRelease, open
from ._verify import verify

__all__ = ["SparkRelease", "anonymize", "open", "query", "verify"]
