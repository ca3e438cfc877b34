# What is installed is complete, and a program that uses the library builds with no more than pkg-config tells. It is put into a folder
# of this test's, through links into the build folder, which so keeps its own notes of what `make uninstall` has to remove.
build=$(dirname "$(command -v covey)")
command -v pkg-config >/dev/null || skip "there is no pkg-config"
mkdir -p folder/meson-logs
cp -r "$build/meson-private" folder/ # its notes are found from here
ln -s "$build"/* folder/ 2>/dev/null || true # but for what is there
DESTDIR=$PWD/stage meson install -C folder --no-rebuild --quiet >log 2>&1 || { cat log >&2; exit 99; }
prefix=$(sed -n 's/^prefix=//p' "$build/meson-private/libcovey.pc")
libdir=$(sed -n 's|^libdir=${prefix}/||p' "$build/meson-private/libcovey.pc")
cd "stage$prefix"
find . ! -type d ! -path './include/*' ! -name '*.[15]' | sed "s|^./$libdir/|./lib/|" | sort
[ -e include/covey/covey.h ]
[ "$(find include -type f | wc -l)" = "$(find "$ROOT/include" -type f | wc -l)" ]
[ "$(./bin/covey --version)" = "$(covey --version)" ]
! command -v scdoc >/dev/null || [ -s share/man/man1/covey-anonymize.1 ]
small_release release
export PKG_CONFIG_SYSROOT_DIR="${PWD%"$prefix"}" PKG_CONFIG_PATH=$PWD/$libdir/pkgconfig LD_LIBRARY_PATH=$PWD/$libdir
"$ROOT/tools/check-program" release
unset PKG_CONFIG_SYSROOT_DIR
PKG_CONFIG_PATH=$build/meson-uninstalled LD_LIBRARY_PATH=$build "$ROOT/tools/check-program" release
