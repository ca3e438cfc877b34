printf 'age,zip,disease\n20,1001,flu\n30,1002,gout\n40,2001,cold\n50,2002,flu\n' >people.csv
anonymize() {
    fails 2 covey anonymize people.csv -o release --quiet "$@"
}
anonymize
anonymize --quasi age,zip --sensitive disease
anonymize --sensitive disease --others drop --model k-anonymity:k=2
anonymize --quasi age,zip,hight --sensitive disease --model k-anonymity:k=2
anonymize --quasi age,zip --sensitive disease --model k-anonymity
anonymize --quasi age,zip --sensitive disease --model k-anonymity:k=0
anonymize --quasi age,zip --sensitive disease --model k-anonymity:k=2.5
anonymize --quasi age,zip --sensitive disease --model k-anonymity:l=2
anonymize --quasi age,zip --sensitive disease --model k-anonimity:k=2
anonymize --quasi age,zip,disease --model distinct-l-diversity:l=2
anonymize --quasi age,zip --sensitive disease,age --model k-anonymity:k=2
anonymize --quasi age,zip --sensitive disease --model k-anonymity:k=2 --method mondrain
anonymize --quasi age,zip --sensitive disease --model k-anonymity:k=2 --method mondrian --cut sideways
anonymize --quasi age,zip --sensitive disease --model k-anonymity:k=2 --method mondrian --cuts 4
anonymize --quasi age,zip --sensitive disease --model k-anonymity:k=2 --suppression 2
anonymize --quasi age,zip --sensitive disease --model k-anonymity:k=2 --suppression -1
anonymize --quasi age,zip --sensitive disease --model k-anonymity:k=2 --weight age=0
anonymize --quasi age,zip --sensitive disease --model k-anonymity:k=2 --type age=nubmer
anonymize --quasi age,zip --sensitive disease --model k-anonymity:k=2 --delimiter ''
anonymize --quasi age,zip --sensitive disease --model k-anonymity:k=2 --preset nothing
anonymize --quasi age,zip --sensitive disease --model basic-beta-likeness:beta=0
anonymize --quasi age,zip --sensitive disease --model t-closeness:t=-1
