#!/bin/sh
# Creates a ConfigMap in a control plane that is there for this script alone.
set -eu
dir=$(mktemp -d)
pilothouse up --data-dir="$dir" --storage-backend=memory --secure-port=0 >"$dir/log" 2>&1 &
trap 'kill $!; wait $! || true; rm -rf "$dir"' EXIT
until [ -s "$dir/admin.kubeconfig" ]; do kill -0 $! || { cat "$dir/log"; exit 1; }; sleep 0.1; done
export KUBECONFIG="$dir/admin.kubeconfig"
kubectl create configmap settings --from-literal=mode=fast
test "$(kubectl get configmap settings --output='jsonpath={.data.mode}')" = fast && echo ok
