# Files of other programs are written by the command of the Python package; this one says what to install.
small_release release
fails 2 covey export release --to people.sav
fails 2 covey export release --to people.PARQUET --table table
fails 2 covey export release --to people.txt
fails 2 covey export release --to csv:folder --table table
fails 2 covey export release --to people.sav --safe-cells
ls
