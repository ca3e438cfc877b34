# A region where one sensitive value is too frequent: its rows are done together with those of the neighbour.
{
    echo age,disease
    for i in $(seq 100); do echo "$i,$([ "$i" -le 50 ] && echo flu || echo "cold")"; done
    for i in $(seq 51 100); do echo "$i,gout"; done
} >people.csv
policy=(--quasi age --sensitive disease --model distinct-l-diversity:l=2 --method mondrian)
covey plan people.csv "${policy[@]}" --rows-per-part 50 -o recipe --quiet
fails 1 covey part recipe 1 -o part-1
covey part recipe 1-2 -o part-1
covey part recipe 3 -o part-3
covey merge recipe part-1 part-3 -o release --quiet | head -1
ls
