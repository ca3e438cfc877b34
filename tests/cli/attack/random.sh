# Twenty kinds of people, a thousand of each, whose value the kind decides: perturbation protects every row, and not the kinds.
{
    echo 'kind,disease'
    for kind in $(seq 20); do
        for _ in $(seq 1000); do echo "$kind,d$((kind % 4))"; done
    done
} >people.csv
covey anonymize people.csv --quasi kind --sensitive disease --model basic-beta-likeness:beta=1 --method perturbation --seed 1 -o release --quiet >summary
covey attack release --original people.csv --attack naive-bayes --json | grep -E '"(figure|prior|ceiling|verdict|rows_per_cell_to_beat_prior)":'
covey attack release --original people.csv --attack corruption --json | grep -E '"(figure|bound|verdict)":'
covey attack release --original people.csv --with release --attack composition --json | grep -E '"(figure|bound|verdict)":'
echo "-- of two perturbed releases the figure is what any two values may give, and the rows' own chances stand beside it"
printf 'age,disease\n20,flu\n30,cold\n40,gout\n50,flu\n' >few.csv
for seed in 3 4; do
    covey anonymize few.csv --quasi age --sensitive disease --model enhanced-beta-likeness:beta=1 --method perturbation --seed $seed -o draw-$seed --quiet
done
covey attack draw-3 --original few.csv --with draw-4 --attack composition
echo "-- the same where the values stand in another order in the other release"
covey anonymize few.csv --quasi age --sensitive disease --model enhanced-beta-likeness:beta=1 --method perturbation --order 'disease=[gout, cold, flu]' --seed 4 -o ordered --quiet
covey attack draw-3 --original few.csv --with ordered --attack composition --json | grep -E '"(figure|bound|largest_excess)":'
