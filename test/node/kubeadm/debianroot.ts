// The root of a bare Debian with what kubeadm asks of a machine, and the layer above it with kubeadm's own programs.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { cacheFolder, fetchRoot, keepFolder } from '../../../hack/debian.ts'

/** A shell, the programs that kubeadm's checks look for, containerd and the plugins of pod networks. */
const packages = (
  'busybox-static coreutils dash findutils grep hostname libc-bin procps sed ' +
  'conntrack ethtool iproute2 iptables mount socat util-linux ' +
  'containerd containernetworking-plugins runc'
).split(' ')

/** The root: fetched and unpacked once. Throws where Debian's packages are missing. */
export function debianRoot(): string {
  const folder = join(cacheFolder(), 'kubeadm-root')
  if (existsSync(folder)) return folder
  mkdirSync(cacheFolder(), { recursive: true })
  const scratch = mkdtempSync(join(cacheFolder(), 'kubeadm-root-new-'))
  try {
    // The kubelet of 1.20 speaks to containerd 1 only.
    const wanted = { name: 'kubeadm-root', packages, suites: ['bookworm'], megabytes: 66 }
    const root = fetchRoot(wanted, scratch)
    configure(root)
    keepFolder(root, folder)
    return folder
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** What installing the packages would have done. */
function configure(root: string): void {
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n')
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnogroup:x:65534:\n')
  for (const family of ['iptables', 'ip6tables'])
    for (const name of ['', '-save', '-restore'])
      symlinkSync('xtables-nft-multi', join(root, 'usr/sbin', `${family}${name}`))
}

export interface Software {
  /** Paths of programs, by their names in /usr/bin. */
  readonly programs: Readonly<Record<string, string>>
  /** Image of the sandboxes of pods. */
  readonly pauseImage: string
}

const containerd = (pauseImage: string): string => `version = 2
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "${pauseImage}"
# Containers of the test's machine may lack the right to lower their score.
restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "/usr/lib/cni"
conf_dir = "/etc/cni/net.d"
`

/** The drop-in of systemd that kubeadm's package brings, as a script of init.sh. */
const kubelet = `# systemd starts it every ten seconds until kubeadm has written this.
while ! [ -e /var/lib/kubelet/config.yaml ]; do sleep 0.2; done
. /var/lib/kubelet/kubeadm-flags.env
# A test has less patience: a minute passes otherwise until the API server knows of a static pod, and twenty seconds until a
# manifest is noticed.
KUBELET_EXTRA_ARGS="--sync-frequency=2s --file-check-frequency=1s"
exec kubelet --bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf \\
  --config=/var/lib/kubelet/config.yaml $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
`

/** Fills a folder with the files that an administrator installs before kubeadm is used. */
export function writeSoftware(folder: string, { programs, pauseImage }: Software): void {
  const files = join(import.meta.dirname, 'files')
  for (const [name, path] of Object.entries({
    ...programs,
    systemctl: join(files, 'systemctl.sh'),
    crictl: join(files, 'crictl.sh'),
  })) {
    const place = join(folder, 'usr/bin', name)
    mkdirSync(dirname(place), { recursive: true })
    copyFileSync(path, place)
    chmodSync(place, 0o755)
  }
  const texts = {
    'etc/containerd/config.toml': containerd(pauseImage),
    'etc/service.d/containerd': 'exec containerd\n',
    'etc/service.d/kubelet': kubelet,
    'etc/hosts': '127.0.0.1 localhost\n192.168.7.11 cp-1\n192.168.7.12 cp-2\n192.168.7.21 w-1\n',
    'etc/resolv.conf': 'nameserver 192.168.7.1\n',
  }
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
