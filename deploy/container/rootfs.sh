#!/bin/sh
# Fills a folder with what the programs need to run: Node, `env`, their libraries, and names of users. The release itself is
# in ROOT/opt/pilothouse already, as npm installs it.
set -eu
root=$1
node=$(readlink -f "$(command -v node)")

mkdir -p "$root/usr/bin" "$root/etc" "$root/tmp" "$root/data"
chmod 1777 "$root/tmp"
cp "$node" "$root/usr/bin/node"
cp "$(readlink -f "$(command -v env)")" "$root/usr/bin/env"

# Libraries of both, and of native modules, at the paths where they are looked for.
{
  ldd "$root/usr/bin/node" "$root/usr/bin/env"
  find -L "$root/opt/pilothouse/node_modules" -maxdepth 4 -name '*.glibc.node' -exec ldd {} +
} | grep -o '/[^ ]*\.so[^ ]*' | sort -u | while read -r library; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done

for program in pilothouse pilothouse-apiserver pilothouse-controller-manager pilothouse-scheduler; do
  ln -sf "../../opt/pilothouse/node_modules/.bin/$program" "$root/usr/bin/$program"
done
printf 'root:x:0:0::/:/none\nnonroot:x:65532:65532::/:/none\n' >"$root/etc/passwd"
printf 'root:x:0:\nnonroot:x:65532:\n' >"$root/etc/group"
chown 65532:65532 "$root/data" 2>/dev/null || true
