fails 2 covey methods mondrain
fails 2 covey methods xyzzy
