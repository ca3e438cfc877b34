covey models k-anonymity
