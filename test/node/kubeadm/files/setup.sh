# The second half of boot.sh, as the first process of the new namespaces.
name=$1 root=$2 programs=$3
hostname "$name"
mount --make-rprivate /
mount -t tmpfs -o size=6g,mode=755 tmpfs /mnt
mkdir /mnt/upper /mnt/work /mnt/containerd /mnt/root /mnt/zero
mount -t overlay -o "lowerdir=$root,upperdir=/mnt/upper,workdir=/mnt/work" overlay /mnt/root
cd /mnt/root
mkdir -p proc sys dev tmp run root old var/lib/containerd var/lib/kubelet var/log etc/cni/net.d opt/cni opt/host
chmod 1777 tmp
mount -t proc proc proc
mount -t sysfs sysfs sys
mount --rbind /dev dev
mount --make-rslave dev
mount -t tmpfs tmpfs run
# Containers' own layers can't lie in a layer.
mount --bind /mnt/containerd var/lib/containerd
mount -t tmpfs -o mode=755 tmpfs sys/fs/cgroup
sed -n 's/^\([0-9]*\):\([^:]*\):.*/\2/p' /proc/self/cgroup | while read -r controllers; do
  [ -n "$controllers" ] || continue
  folder=sys/fs/cgroup/${controllers#name=}
  mkdir "$folder"
  case $controllers in name=*) controllers=none,$controllers ;; esac
  mount -t cgroup -o "$controllers" cgroup "$folder"
done
# The kubelet sets these for the whole kernel. It finds the values that it wants, and leaves the kernel's alone.
while read -r file value; do
  echo "$value" >"/mnt/zero/$(basename "$file")"
  mount --bind "/mnt/zero/$(basename "$file")" "proc/sys/$file"
done <<END
vm/overcommit_memory 1
vm/panic_on_oom 0
kernel/panic 10
kernel/panic_on_oops 1
kernel/keys/root_maxkeys 1000000
kernel/keys/root_maxbytes 25000000
END
cp "$programs/init.sh" sbin/init
chmod 755 sbin/init
pivot_root . old
umount -l /old
mount --make-rshared /
exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root /sbin/init
