# JSON has no place for such bytes: each becomes U+FFFD.
for name in $'a\377b' $'\300\257' $'\355\240\200' $'\364\220\200\200' $'\360\237\220\246' $'\342\202' 'é'; do
    fails 2 covey verify "$name" --json 2>words | python3 -c 'import json, sys; print(ascii(json.load(sys.stdin)["error"]["file"]))'
done
