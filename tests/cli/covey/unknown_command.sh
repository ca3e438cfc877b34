fails 2 covey anonymise
fails 2 covey modles
fails 2 covey xyzzy
fails 2 covey help metods
fails 2 covey --verison
fails 2 covey xyzzy --json
