# Without a command the overview goes to stderr: stdout may be somebody's file.
fails 2 covey 2>overview
head -1 overview
covey --help | cmp - overview
covey help | cmp - overview
