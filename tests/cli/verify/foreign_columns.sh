# What stands in columns that a release does not have is nothing to it, such as missing cells beside the text "null".
printf 'n,t,s\n1,null,u\n1,,v\n2,a,u\n2,b,v\n' >people.csv
covey anonymize people.csv --quasi n --sensitive s --others drop --model k-anonymity:k=2 --method mondrian -o release --quiet >summary
covey verify release --original people.csv --quiet
covey measure release --original people.csv --quiet >figures
covey attack release --original people.csv --quiet >gains
# Of a column that is published they are told.
printf 'n,s\n1,null\n1,\n2,u\n2,v\n' >people.csv
fails 2 covey verify release --original people.csv
