"""Files of statistics programs, spreadsheets and columnar formats, in and out."""
