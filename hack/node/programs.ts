// Finds the programs of a node: named by the environment, on PATH, in the cache folder, or else from Debian, whose
// containerd is fetched and whose kubelet is built from source (`npm run node -- --programs` prints their paths).
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, fetchPackages, keepFolder } from '../debian.ts'
import { isKubernetesBuilt, kubernetesCommands, kubernetesFolder } from './kubernetes.ts'

/** Paths of executables, and what they need of their environment. */
export interface NodePrograms {
  readonly kubelet: string
  readonly kubeadm: string
  readonly kubeProxy: string
  /** Release of the kubelet: `[1, 20, 2]`. */
  readonly release: readonly number[]
  readonly containerd: string
  readonly ctr: string
  readonly runc: string
  /** Statically linked: it runs in an image of its own. */
  readonly busybox: string
  /** Folder of the plugins bridge, host-local, loopback and portmap among others. */
  readonly plugins: string
  /** PATH with all of them, iptables and containerd's shims first, and what finds the libraries of iptables. */
  readonly environment: Readonly<Record<string, string>>
}

const runtimePackages = ['containerd', 'runc', 'containernetworking-plugins', 'busybox-static', 'iptables']

/** Libraries of runc and iptables. */
const libraries = [
  'libseccomp2',
  'libip4tc2',
  'libip6tc2',
  'libxtables12',
  'libmnl0',
  'libnetfilter-conntrack3',
  'libnfnetlink0',
  'libnftnl11',
]

/** The oldest kubelet whose certificate requests, leases and pods this API still serves. */
const minorMin = 20

/**
 * The programs of a node; undefined, with the reason on standard error, where they are not available. The first call on
 * a machine builds for minutes. PILOTHOUSE_KUBELET, PILOTHOUSE_KUBEADM, PILOTHOUSE_KUBE_PROXY and PILOTHOUSE_CONTAINERD
 * name other programs, of any release from 1.20 on.
 */
export async function findNodePrograms(): Promise<NodePrograms | undefined> {
  try {
    const runtime = runtimeFolder()
    if (!kubernetesCommands.every(findNamed)) await buildOnce()
    const [kubelet, kubeadm, kubeProxy] = kubernetesCommands.map((name) => findNamed(name) ?? built(name))
    const release = kubelet === undefined ? undefined : releaseOf(kubelet)
    if (!kubelet || !kubeadm || !kubeProxy || !release) throw new Error('the programs that were built do not run here')
    const bin = join(runtime, 'usr/bin')
    return {
      kubelet,
      kubeadm,
      kubeProxy,
      release,
      containerd: process.env['PILOTHOUSE_CONTAINERD'] || join(bin, 'containerd'),
      ctr: join(bin, 'ctr'),
      runc: join(runtime, 'usr/sbin/runc'),
      busybox: join(runtime, 'bin/busybox'),
      plugins: join(runtime, 'usr/lib/cni'),
      environment: environmentOf(runtime),
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    process.stderr.write(`no programs of a node: ${why}\n`)
    return undefined
  }
}

function environmentOf(runtime: string): Record<string, string> {
  const named = process.env['PILOTHOUSE_CONTAINERD']
  const folders = [
    // Shims are found beside their containerd.
    ...(named ? [join(named, '..')] : []),
    join(runtime, 'pilothouse'),
    ...['usr/sbin', 'usr/bin'].map((folder) => join(runtime, folder)),
  ]
  const libraryFolders = ['lib', 'usr/lib'].flatMap((folder) => multiarchFolders(join(runtime, folder)))
  const extensions = libraryFolders.map((folder) => join(folder, 'xtables')).find((folder) => existsSync(folder))
  return {
    PATH: [...folders, process.env['PATH']].join(':'),
    LD_LIBRARY_PATH: libraryFolders.join(':'),
    ...(extensions === undefined ? {} : { XTABLES_LIBDIR: extensions }),
  }
}

/** `x86_64-linux-gnu` and its like. */
function multiarchFolders(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('-linux-gnu'))
    .map((name) => join(folder, name))
}

/** Fetched and unpacked once. */
function runtimeFolder(): string {
  const folder = join(cacheFolder(), 'containerd')
  if (existsSync(folder)) return folder
  mkdirSync(cacheFolder(), { recursive: true })
  const scratch = mkdtempSync(join(cacheFolder(), 'containerd-new-'))
  try {
    const packages = [...runtimePackages, ...libraries]
    const unpacked = fetchPackages({ name: 'containerd', packages, suites: ['bookworm'], megabytes: 40 }, scratch)
    linkIptables(unpacked)
    keepFolder(unpacked, folder)
    return folder
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** The names that Debian's alternatives would give to the programs for nftables. */
function linkIptables(folder: string): void {
  const links = join(folder, 'pilothouse')
  mkdirSync(links)
  for (const family of ['iptables', 'ip6tables'])
    for (const name of ['', '-save', '-restore'])
      symlinkSync('../usr/sbin/xtables-nft-multi', join(links, `${family}${name}`))
}

type CommandName = (typeof kubernetesCommands)[number]

/** The one that the environment names, or that is on PATH and new enough. */
function findNamed(name: CommandName): string | undefined {
  const named = process.env[`PILOTHOUSE_${name.toUpperCase().replace('-', '_')}`]
  if (named) return named
  return releaseOf(name) === undefined ? undefined : name
}

function built(name: CommandName): string {
  return join(kubernetesFolder(), name)
}

/** Builds under a lock: another process that waits for it finds everything built. */
async function buildOnce(): Promise<void> {
  if (isKubernetesBuilt()) return
  const builder = join(import.meta.dirname, 'kubernetes.ts')
  const lock = join(cacheFolder(), 'kubernetes.lock')
  const child = spawn('flock', [lock, process.execPath, builder], { stdio: ['ignore', 'inherit', 'inherit'] })
  process.once('exit', () => child.kill())
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('the build from source failed')
}

/** `[1, 20, 2]`; undefined where it does not run, or is too old. */
function releaseOf(program: string): readonly number[] | undefined {
  const argument = program.endsWith('kubeadm') ? ['version', '-o=short'] : ['--version']
  const { status, stdout } = spawnSync(program, argument, { encoding: 'utf8' })
  const release = status === 0 ? /v(\d+)\.(\d+)\.(\d+)/.exec(stdout)?.slice(1).map(Number) : undefined
  return release !== undefined && (release[0] ?? 0) === 1 && (release[1] ?? 0) >= minorMin ? release : undefined
}
