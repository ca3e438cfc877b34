# Data frames write integers beside missing cells as 1.0: estimates take such decimals for whole numbers, bounds do not.
printf 'sex,illness\n1.0,flu\n2.0,flu\n2.0,cold\n1.0,cold\n' >whole.csv
covey anonymize whole.csv --quasi sex --sensitive illness --model k-anonymity:k=4 --method mondrian -o release --quiet 2>warnings
tail -n 1 release/table.csv
for condition in 'sex = 1' 'sex <= 1.0' 'sex = 1.5' 'sex > 1 AND sex < 2'; do
    covey query release "SELECT COUNT(*) WHERE $condition" --json | tr -d '\n ' | sed 's/,"standard.*/\n/'
done
