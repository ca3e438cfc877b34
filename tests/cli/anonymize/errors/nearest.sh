# What a refusal names can be kept: columns whose pieces cannot be put together, pieces that are too rare, boxes that are too short.
awk 'BEGIN { srand(1); print "a,b,c,d,s"; for (i = 0; i < 4000; i++) printf "%d,%d,%d,%d,s%d\n", rand() * 90, rand() * 90, rand() * 90, rand() * 90, rand() * 6 }' >many.csv
many() { covey anonymize many.csv --quasi a,b,c,d --sensitive s --model sliced-l-diversity:l=3/2 --method slicing -o release --quiet --json "$@"; }
nearest() { tr -d ' \n' | sed 's/.*"nearest"://; s/}}$//'; echo; }
fails 1 many --columns '[[a,s],[b,s],[c,s],[d,s]]' | nearest
many --columns '[["a"],["b"],["c"],["d"],["s"]]' | grep holds
awk 'BEGIN { print "age,zip,disease"; for (i = 0; i < 30; i++) print 20 + i % 10 "," i % 5 "," i % 3 }' >people.csv
people() { covey anonymize people.csv --quasi age,zip --sensitive disease -o release --quiet --json --force "$@"; }
fails 1 people --model sliced-l-diversity:l=2 --method slicing --column-k 31 | nearest
people --model sliced-l-diversity:l=2 --method slicing --column-k 10 | grep holds
fails 1 people --model k-anonymity:k=40 --method mondrian --min-length '{age: 10, zip: 2}' | nearest
people --model k-anonymity:k=30 --method mondrian --min-length '{age: 9, zip: 2}' | grep holds
printf "value,share\n0,3\n1,2\n2,1\n" >shares.csv
# the target of a distribution: what all targets that are used reach
target() { covey anonymize people.csv --quasi age --others drop --sensitive disease --method distribution --model p-private "$@" -o release --quiet --json --force; }
fails 1 target --model probabilistic-l-diversity:l=4 --model t-closeness:t=0.01 --target '{file: shares.csv}' 2>&1 | nearest
target --model probabilistic-l-diversity:l=2 --model t-closeness:t=1/6 --target "{file: shares.csv}" | grep holds
# a person with three of eight rows
printf 'p,age\na,20\na,21\na,22\nb,31\nc,32\nd,33\ne,34\nf,35\n' >persons.csv
persons() { covey anonymize persons.csv --entity p --quasi age --method mondrian -o release --quiet --json --force "$@"; }
fails 1 persons --model k-anonymity:k=5 2>&1 | nearest
persons --model k-anonymity:k=2 | grep holds
