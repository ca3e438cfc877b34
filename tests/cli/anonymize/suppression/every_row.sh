# Where every row would have to go, no limit is large enough: none is asked for.
printf 'a,b,s\n1,1,x\n1,1,x\n2,2,y\n2,2,y\n' >sliced.csv
printf 'id,a,s\n1,1,x\n1,1,x\n2,2,x\n2,2,x\n3,1,x\n3,1,x\n' >units.csv
fails 1 covey anonymize sliced.csv --quasi a,b --sensitive s --model sliced-l-diversity:l=2 --method slicing --columns '[[a],[b,s]]' --suppression 1 -o release
fails 1 covey anonymize units.csv --entity id --quasi a --sensitive s --model sliced-l-diversity:l=2 --method slicing --suppression 1 -o release
fails 1 covey anonymize units.csv --entity id --quasi a --sensitive s --model distinct-l-diversity:l=2 --method anatomy --suppression 1 -o release
