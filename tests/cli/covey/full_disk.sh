fails 3 covey models >/dev/full
fails 3 covey models --json >/dev/full
fails 3 covey --version >/dev/full
fails 3 covey help models >/dev/full
