# Wrong usage names what is wrong, and nothing is left behind.
fails 2 covey reproduce recoding-k
fails 2 covey reproduce recodink-k -o figures
fails 2 covey reproduce nothing-like-it -o figures
fails 2 covey reproduce recoding-k recoding-k -o figures
fails 2 covey reproduce recoding-k -o nowhere/figures
ls -A
