#!/bin/sh
# Debian has no crictl: what kubeadm and its users ask of it, by containerd's own client.
[ "$1" = -r ] && shift 2
verb=$1
shift
cri() { ctr --namespace=k8s.io "$@"; }
# The containers of a sandbox's pod, with the sandbox.
of() {
  uid=$(cri containers info "$1" | sed -n 's/.*"io.kubernetes.pod.uid": "\([^"]*\)".*/\1/p' | head -n 1)
  cri containers list --quiet "labels.\"io.kubernetes.pod.uid\"==$uid"
}
case $verb in
info) cri version >/dev/null ;;
inspecti) [ -n "$(cri images list --quiet "name==$1")" ] ;;
pull)
  echo "there is no registry here: $1" >&2
  exit 1
  ;;
pods)
  label= state=
  for word; do case $word in --label=*) label=${word#--label=} ;; --state=*) state=${word#--state=} ;; esac; done
  filter='labels."io.cri-containerd.kind"==sandbox'
  [ -z "$label" ] || filter="$filter,labels.\"${label%%=*}\"==${label#*=}"
  for sandbox in $(cri containers list --quiet "$filter"); do
    if [ -z "$state" ] || cri tasks list | grep -q "^$sandbox .*RUNNING"; then echo "$sandbox"; fi
  done
  ;;
stopp)
  for container in $(of "$1"); do cri tasks kill --signal=SIGKILL "$container" 2>/dev/null; done
  exit 0
  ;;
rmp)
  for container in $(of "$1"); do
    cri tasks delete --force "$container" 2>/dev/null
    cri containers delete "$container"
  done
  ;;
*) exit 1 ;;
esac
