covey models --threads 2 k-anonymity --seed=3 -q >one
covey models k-anonymity | cmp - one
