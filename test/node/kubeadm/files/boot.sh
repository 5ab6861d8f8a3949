#!/bin/sh
# Makes a machine: in namespaces that are new (mounts, processes, network, host name, cgroups), the root of Debian below a
# layer that is kept in memory; then runs that root's init. Everything ends with this process.
#   boot.sh NAME ROOT PROGRAMS CGROUP
set -eu
name=$1 root=$2 programs=$3 cgroup=$4
for controller in /sys/fs/cgroup/*/; do
  controller=${controller%/}
  [ -e "$controller/cgroup.procs" ] && [ "$controller" != /sys/fs/cgroup/unified ] || continue
  mkdir -p "$controller/$cgroup"
  if [ -e "$controller/cpuset.cpus" ]; then
    cat "$controller/cpuset.cpus" >"$controller/$cgroup/cpuset.cpus"
    cat "$controller/cpuset.mems" >"$controller/$cgroup/cpuset.mems"
  fi
  echo $$ >"$controller/$cgroup/cgroup.procs"
done
exec unshare --mount --uts --ipc --net --pid --cgroup --fork --kill-child sh -eu "$programs/setup.sh" "$name" "$root" "$programs"
