"""A graded run in the forms that other tools read: tau2's own reviews, JSON lines, Parquet."""

from userproxybench.export.records import jsonl_lines, parquet_files
from userproxybench.export.reviews import Audited, audited
from userproxybench.export.tau2 import Written, write_reviews

__all__ = ["Audited", "Written", "audited", "jsonl_lines", "parquet_files", "write_reviews"]
