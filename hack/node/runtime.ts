// containerd in a machine: its configuration, its pod network, and images that are put into it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pauseImage } from './images.ts'
import type { Machine, Service } from './machine.ts'
import type { NodePrograms } from './programs.ts'

export interface Runtime extends Service {
  /** `unix:///…` */
  readonly endpoint: string
  /** Puts archives of images into it. */
  import(archives: readonly string[]): Promise<void>
}

/** Starts containerd; resolves when it answers. */
export async function startRuntime(machine: Machine, programs: NodePrograms): Promise<Runtime> {
  const folder = join(machine.folder, 'containerd')
  const network = join(folder, 'cni')
  mkdirSync(network, { recursive: true })
  writeFileSync(join(network, '10-pods.conflist'), JSON.stringify(podNetwork(machine.podRange)))
  const socket = '/run/containerd/containerd.sock'
  const config = join(folder, 'config.toml')
  writeFileSync(config, configOf(folder, network, socket, programs))
  const service = machine.start('containerd', [programs.containerd, `--config=${config}`], programs.environment)
  const ctr = async (...line: string[]): Promise<number | null> =>
    await machine.start(
      'ctr',
      [programs.ctr, `--address=${socket}`, '--namespace=k8s.io', ...line],
      programs.environment,
    ).exited
  const deadline = performance.now() + 30_000
  for (; (await ctr('version')) !== 0; await new Promise((resolve) => setTimeout(resolve, 200)))
    if (performance.now() > deadline || service.process.exitCode !== null)
      throw new Error(`containerd does not answer: see ${service.logFile}`)
  return {
    ...service,
    endpoint: `unix://${socket}`,
    async import(archives) {
      for (const archive of archives)
        if ((await ctr('images', 'import', archive)) !== 0) throw new Error(`${archive} is not imported: see ctr.log`)
    },
  }
}

function configOf(folder: string, network: string, socket: string, programs: NodePrograms): string {
  const plugin = 'plugins."io.containerd.grpc.v1.cri"'
  return `version = 2
root = "${join(folder, 'root')}"
state = "/run/containerd/state"
# Of restarts on a used disk, only the pods' are of interest.
disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper"]
[grpc]
address = "${socket}"
[${plugin}]
sandbox_image = "${pauseImage}"
# Containers of this machine may lack the right to lower their score.
restrict_oom_score_adj = true
[${plugin}.containerd]
snapshotter = "overlayfs"
[${plugin}.containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[${plugin}.containerd.runtimes.runc.options]
BinaryName = "${programs.runc}"
SystemdCgroup = false
[${plugin}.cni]
bin_dir = "${programs.plugins}"
conf_dir = "${network}"
`
}

/** Each pod has a cable to its node, which routes between them. */
function podNetwork(podRange: string): object {
  return {
    cniVersion: '0.4.0',
    name: 'pods',
    plugins: [
      { type: 'ptp', ipam: { type: 'host-local', ranges: [[{ subnet: podRange }]], routes: [{ dst: '0.0.0.0/0' }] } },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  }
}
