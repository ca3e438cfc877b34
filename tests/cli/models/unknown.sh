fails 2 covey models k-anonimity
fails 2 covey models xyzzy
fails 2 covey models k-anonymity xyzzy --json
