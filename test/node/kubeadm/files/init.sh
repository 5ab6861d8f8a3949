#!/bin/sh
# The first process of a machine: keeps the services running that `systemctl` started, as systemd does with Restart=always.
mkdir -p /run/services
ip link set lo up
touch /run/booted
while :; do
  for wanted in /run/services/*.wanted; do
    [ -e "$wanted" ] || continue
    service=${wanted##*/}
    service=${service%.wanted}
    # By the shell alone: programs would be started several times a second.
    pid=
    [ -e "/run/services/$service.pid" ] && read -r pid <"/run/services/$service.pid"
    [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null && continue
    sh "/etc/service.d/$service" >>"/var/log/$service.log" 2>&1 &
    echo $! >"/run/services/$service.pid"
  done
  # Waits for one's own child, and takes the exit status of every orphan meanwhile.
  sleep 0.3 &
  wait $!
done
