fails 2 covey anonymise
fails 2 covey modles
fails 2 covey xyzzy
fails 2 covey help metods
fails 2 covey --verison
fails 2 covey --json models
fails 2 covey hierarchy
fails 2 covey hierarchy bild
fails 2 covey hierarchy xyzzy
fails 2 covey help hierarchy xyzzy
fails 2 covey xyzzy --json
