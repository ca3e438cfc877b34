covey models cms11
covey models cms11 --json
