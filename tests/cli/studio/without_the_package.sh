# The command alone has no page: it says what to install.
covey studio || echo $?
covey studio people.csv --port 8000 --no-browser || echo $?
covey studio a b || echo $?
covey studio --ports 1 || echo $?
