# Tables of releases are plain text: one that is compressed is a problem, and is not unpacked.
printf 'age,zip,illness\n1,a,x\n2,a,y\n3,b,x\n4,b,y\n' >people.csv
covey anonymize people.csv --quasi age,zip --sensitive illness --model k-anonymity:k=2 --method mondrian -o release --quiet
for pack in gzip "zstd -q"; do
    rm -rf packed && cp -r release packed
    $pack -c release/table.csv >packed/table.csv
    covey verify packed | grep -E "compressed|holds|NOT"
    echo "exit ${PIPESTATUS[0]}"
done
head -c 300000000 /dev/zero | gzip >packed/table.csv
/usr/bin/env python3 - <<'END'
import resource, subprocess
run = subprocess.run(["covey", "verify", "packed"], capture_output=True, text=True)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print(run.returncode, "not unpacked" if peak < 100 else f"took {peak} MiB")
END
covey query packed 'SELECT COUNT(*)'
