# shots.sh DIR PAGE...: png at 390/1280 light/dark and print pages
d=$1; shift; mkdir -p $d
for p in "$@"; do b=$(basename $p .html)
for s in light dark; do pref=1; [ $s = dark ] && pref=0
 for w in 390 1280; do
  h=$([ $w = 390 ] && echo 3400 || echo 4200)
  if [ $w = 390 ]; then
   # a frame: windows cannot be that narrow
   echo "<!DOCTYPE html><meta name=color-scheme content='light dark'><body style='margin:0'><iframe src='file://$PWD/$p' width=390 height=$h style='border:0'></iframe>" >frame.html; u=file://$PWD/frame.html; ww=500
  else u=file://$PWD/$p; ww=1280; fi
  timeout 60 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir=$PWD/profile --window-size=$ww,$h --blink-settings=preferredColorScheme=$pref --screenshot=$d/$b-$w-$s.png $u >/dev/null 2>&1
 done; done
 timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir=$PWD/profile --no-pdf-header-footer --print-to-pdf=$PWD/$d/$b.pdf file://$PWD/$p >/dev/null 2>&1
 pdftoppm -r 50 -png $d/$b.pdf $d/$b-print
done
