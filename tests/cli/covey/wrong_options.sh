fails 2 covey models --jsn
fails 2 covey models --xyzzy
fails 2 covey models -x
fails 2 covey models --threads
fails 2 covey models --json=yes
fails 2 covey models --threads 0
fails 2 covey models --threads=5000
fails 2 covey models --threads 2x
fails 2 covey models --seed -1
fails 2 covey models --seed 9223372036854775808
# A part of a name is not the name, even where it is the only one that begins so.
fails 2 covey models --thr 2
fails 2 covey models --quie
fails 2 covey formats csv
# Behind -- everything is an operand.
fails 2 covey models -- --json
