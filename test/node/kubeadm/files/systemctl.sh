#!/bin/sh
# As much of systemctl as kubeadm and its users type, for services that are scripts of /etc/service.d.
for word; do shift; case $word in --*) ;; *) set -- "$@" "$word" ;; esac; done
verb=$1
[ $# -gt 0 ] && shift
running() { pid=$(cat "/run/services/$1.pid" 2>/dev/null) && kill -0 "$pid" 2>/dev/null; }
for service; do
  service=${service%.service}
  case $verb in
  start | enable | restart)
    [ -e "/etc/service.d/$service" ] || { echo "Unit $service.service not found." >&2; exit 5; }
    if [ "$verb" = restart ] && running "$service"; then kill "$pid"; while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done; fi
    touch "/run/services/$service.wanted"
    ;;
  stop)
    rm -f "/run/services/$service.wanted"
    if running "$service"; then kill "$pid"; while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done; fi
    ;;
  is-active) if running "$service"; then echo active; else echo inactive; exit 3; fi ;;
  is-enabled) if [ -e "/etc/service.d/$service" ]; then echo enabled; else echo disabled; exit 1; fi ;;
  status) if [ -e "/etc/service.d/$service" ]; then echo "Loaded: loaded"; else echo "Loaded: not-found"; exit 4; fi ;;
  *) exit 1 ;;
  esac
done
