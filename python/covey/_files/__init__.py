"""Files of statistics programs, spreadsheets and columnar formats, in and out.

Read kinds.py (which formats there are), then reading.py or writing.py. What parses a foreign file (parse.py, statistics.py,
sheets.py) runs in a process of its own, which child.py starts.
"""
