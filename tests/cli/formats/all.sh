covey formats
covey formats --json
