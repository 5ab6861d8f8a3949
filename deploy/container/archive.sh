#!/bin/sh
# Writes an image that containerd, podman and others load, without a program for images: one layer with the files of a
# folder that rootfs.sh filled. Layout: the OCI image specification, 1.0.
#
#   sh archive.sh FOLDER NAME:TAG FILE
set -eu
folder=$1 name=$2 file=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
blobs=$work/layout/blobs/sha256
mkdir -p "$blobs"

# Names without a registry are Docker's, and containerd knows images by their full names.
case $name in
*/*) full=$name ;;
*) full=docker.io/library/$name ;;
esac

# Moves a file to the blobs; prints its descriptor, with the media type given.
add() {
  digest=$(sha256sum "$1" | cut -d ' ' -f 1)
  size=$(stat -c %s "$1")
  mv "$1" "$blobs/$digest"
  printf '{"mediaType":"application/vnd.oci.image.%s","digest":"sha256:%s","size":%s' "$2" "$digest" "$size"
}

# The same files make the same layer: its times are the release's, which npm's archives set to 1985.
tar -C "$folder" --sort=name --mtime='1985-10-26 08:15:00 UTC' --numeric-owner -cf "$work/layer" .
layer=$(add "$work/layer" layer.v1.tar)
digest=${layer#*sha256:}
machine=$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
cat >"$work/config" <<CONFIG
{"architecture":"$machine","os":"linux","rootfs":{"type":"layers","diff_ids":["sha256:${digest%%\"*}"]},
"config":{"User":"65532:65532","Env":["PATH=/usr/bin"],"Entrypoint":["/usr/bin/pilothouse"]}}
CONFIG
config=$(add "$work/config" config.v1+json)
printf '{"schemaVersion":2,"config":%s},"layers":[%s}]}' "$config" "$layer" >"$work/manifest"
manifest=$(add "$work/manifest" manifest.v1+json)
names=$(printf '{"io.containerd.image.name":"%s","org.opencontainers.image.ref.name":"%s"}' "$full" "${full##*:}")
printf '{"schemaVersion":2,"manifests":[%s,"annotations":%s}]}' "$manifest" "$names" >"$work/layout/index.json"
printf '{"imageLayoutVersion":"1.0.0"}' >"$work/layout/oci-layout"
tar -C "$work/layout" -cf "$file" oci-layout index.json blobs
