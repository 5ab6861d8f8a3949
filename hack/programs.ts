// Finds the programs that tests and benchmarks run beside ours: named by the environment, on PATH, in the cache folder,
// or else Debian's package, fetched with apt from this machine's configured mirror. `node hack/programs.ts` prints
// their paths.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, fetchPackages, keepFolder } from './debian.ts'

type Version = readonly [number, number, number]

interface Program {
  readonly name: string
  /** Debian's package, and the size of its download. */
  readonly debian: string
  readonly megabytes: number
  /** Sets the program's path and ends the search. */
  readonly variable: string
  readonly versionMin: Version
  /** Packages that it needs in addition to the libraries of every Debian. */
  readonly needs?: readonly string[]
  /** Debian suites to search; default: those whose packages of etcd and kubectl are new enough. */
  readonly suites?: readonly string[]
  /** Path of the program in its package; default: usr/sbin or usr/bin with its name. */
  readonly binary?: string
  /** Arguments that make it print `version`, whose groups are the three numbers. */
  readonly versionArguments: readonly string[]
  readonly version: RegExp
}

const etcd: Program = {
  name: 'etcd',
  debian: 'etcd-server',
  megabytes: 20,
  variable: 'PILOTHOUSE_ETCD',
  // Older releases may answer a progress request before the events that it covers.
  versionMin: [3, 5, 8],
  versionArguments: ['--version'],
  version: /etcd Version: (\d+)\.(\d+)\.(\d+)/,
}

const kubectl: Program = {
  name: 'kubectl',
  debian: 'kubectl',
  megabytes: 20,
  variable: 'PILOTHOUSE_KUBECTL',
  // Older ones lack commands and flags that the sessions use.
  versionMin: [1, 32, 0],
  versionArguments: ['version', '--client', '--output=json'],
  version: /"gitVersion": "v(\d+)\.(\d+)\.(\d+)/,
}

const haproxy: Program = {
  name: 'haproxy',
  debian: 'haproxy',
  needs: ['liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1'],
  // Later releases need a newer C library than many machines have; this one runs on all of them.
  suites: ['bookworm'],
  megabytes: 3,
  variable: 'PILOTHOUSE_HAPROXY',
  // Checks by HTTP with `http-check send`, and variables of the environment in addresses.
  versionMin: [2, 2, 0],
  versionArguments: ['-v'],
  version: /version (\d+)\.(\d+)\.(\d+)/,
}

const etcdctl: Program = {
  name: 'etcdctl',
  debian: 'etcd-client',
  megabytes: 8,
  variable: 'PILOTHOUSE_ETCDCTL',
  versionMin: [3, 4, 0],
  versionArguments: ['version'],
  version: /etcdctl version: (\d+)\.(\d+)\.(\d+)/,
}

const keepalived: Program = {
  name: 'keepalived',
  debian: 'keepalived',
  needs: ['libnl-3-200', 'libnl-genl-3-200', 'libnftnl11', 'libpci3', 'libsensors5', 'libsnmp40', 'libwrap0'],
  suites: ['bookworm'],
  megabytes: 4,
  variable: 'PILOTHOUSE_KEEPALIVED',
  // Included files and definitions.
  versionMin: [2, 0, 0],
  versionArguments: ['--version'],
  version: /Keepalived v(\d+)\.(\d+)\.(\d+)/,
}

const prometheus: Program = {
  name: 'prometheus',
  debian: 'prometheus',
  megabytes: 60,
  variable: 'PILOTHOUSE_PROMETHEUS',
  versionMin: [2, 40, 0],
  versionArguments: ['--version'],
  version: /version (\d+)\.(\d+)\.(\d+)/,
}

const promtool: Program = {
  name: 'promtool',
  debian: 'promtool',
  megabytes: 16,
  variable: 'PILOTHOUSE_PROMTOOL',
  versionMin: [2, 40, 0],
  versionArguments: ['--version'],
  version: /version (\d+)\.(\d+)\.(\d+)/,
}

const strace: Program = {
  name: 'strace',
  debian: 'strace',
  needs: ['libunwind8'],
  suites: ['bookworm'],
  megabytes: 2,
  variable: 'PILOTHOUSE_STRACE',
  // Delays of system calls.
  versionMin: [5, 0, 0],
  versionArguments: ['--version'],
  version: /version (\d+)\.(\d+)/,
}

/** The libraries that Chromium links, beyond those of every Debian. */
const chromiumNeeds = [
  'chromium-common',
  'libasound2',
  'libasyncns0',
  'libatk-bridge2.0-0',
  'libatk1.0-0',
  'libatspi2.0-0',
  'libavahi-client3',
  'libavahi-common3',
  'libbrotli1',
  'libbsd0',
  'libcairo2',
  'libcups2',
  'libdatrie1',
  'libdav1d6',
  'libdouble-conversion3',
  'libdrm2',
  'libflac12',
  'libfontconfig1',
  'libfreetype6',
  'libfribidi0',
  'libgbm1',
  'libglib2.0-0',
  'libgraphite2-3',
  'libharfbuzz-subset0',
  'libharfbuzz0b',
  'libjpeg62-turbo',
  'liblcms2-2',
  'libminizip1',
  'libmp3lame0',
  'libmpg123-0',
  'libnspr4',
  'libnss3',
  'libogg0',
  'libopenh264-7',
  'libopenjp2-7',
  'libopus0',
  'libpango-1.0-0',
  'libpixman-1-0',
  'libpng16-16',
  'libpulse0',
  'libsndfile1',
  'libthai0',
  'libvorbis0a',
  'libvorbisenc2',
  'libwayland-server0',
  'libx11-6',
  'libx11-xcb1',
  'libxau6',
  'libxcb-render0',
  'libxcb-shm0',
  'libxcb1',
  'libxcomposite1',
  'libxdamage1',
  'libxdmcp6',
  'libxext6',
  'libxfixes3',
  'libxi6',
  'libxkbcommon0',
  'libxnvctrl0',
  'libxrandr2',
  'libxrender1',
]

const chromium: Program = {
  name: 'chromium',
  debian: 'chromium',
  needs: chromiumNeeds,
  suites: ['bookworm'],
  megabytes: 100,
  binary: 'usr/lib/chromium/chromium',
  variable: 'PILOTHOUSE_CHROMIUM',
  versionMin: [120, 0, 0],
  versionArguments: ['--version'],
  version: /Chromium (\d+)\.(\d+)\.(\d+)/,
}

/** Debian's suites whose packages are new enough, the most stable first. */
const suites = ['trixie', 'forky', 'sid'] as const

/**
 * Path of an etcd of 3.5.8 or later; undefined, with the reason on standard error, when none is available. Searches
 * PILOTHOUSE_ETCD, PATH and the cache folder (PILOTHOUSE_CACHE, else ~/.cache/pilothouse), and finally downloads.
 */
export function findEtcd(): Promise<string | undefined> {
  return find(etcd)
}

/** Path of a kubectl of 1.32 or later, as findEtcd (PILOTHOUSE_KUBECTL). */
export function findKubectl(): Promise<string | undefined> {
  return find(kubectl)
}

/** Path of an HAProxy of 2.2 or later, as findEtcd (PILOTHOUSE_HAPROXY). */
export function findHaproxy(): Promise<string | undefined> {
  return find(haproxy)
}

/** Path of an etcdctl of 3.4 or later, as findEtcd (PILOTHOUSE_ETCDCTL). */
export function findEtcdctl(): Promise<string | undefined> {
  return find(etcdctl)
}

/** Path of a keepalived of 2.0 or later, as findEtcd (PILOTHOUSE_KEEPALIVED). */
export function findKeepalived(): Promise<string | undefined> {
  return find(keepalived)
}

/** Path of a Prometheus of 2.40 or later, as findEtcd (PILOTHOUSE_PROMETHEUS). */
export function findPrometheus(): Promise<string | undefined> {
  return find(prometheus)
}

/** Path of a promtool of 2.40 or later, as findEtcd (PILOTHOUSE_PROMTOOL). */
export function findPromtool(): Promise<string | undefined> {
  return find(promtool)
}

/** Path of a Chromium of 120 or later, as findEtcd (PILOTHOUSE_CHROMIUM). */
export function findChromium(): Promise<string | undefined> {
  return find(chromium)
}

/** Path of an strace of 5.0 or later, as findEtcd (PILOTHOUSE_STRACE). */
export function findStrace(): Promise<string | undefined> {
  return find(strace)
}

async function find(program: Program): Promise<string | undefined> {
  const named = process.env[program.variable]
  if (named) return named
  const cache = cacheFolder()
  const cached = cachedPath(program, cache)
  // Programs of administrators are not on every user's PATH.
  for (const candidate of [program.name, join('/usr/sbin', program.name), cached])
    if (isUsable(program, candidate)) return candidate
  try {
    download(program, cache)
    if (isUsable(program, cached)) return cached
    throw new Error('the unpacked program does not run here')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    process.stderr.write(`no ${program.name} ${program.versionMin.join('.')} or later: ${why}\n`)
    return undefined
  }
}

/** The unpacked program, or a script that starts it with the libraries that were unpacked with it. */
function cachedPath({ name, needs }: Program, cache: string): string {
  return needs === undefined ? join(cache, name, 'usr', 'bin', name) : join(cache, name, name)
}

function isUsable({ version, versionArguments, versionMin }: Program, path: string): boolean {
  const { status, stdout, stderr } = spawnSync(path, versionArguments, { encoding: 'utf8' })
  // keepalived prints it as an error.
  const match = status === 0 ? version.exec(stdout + stderr) : null
  if (!match) return false
  const found = match.slice(1).map(Number)
  const differing = versionMin.findIndex((part, index) => found[index] !== part)
  return differing < 0 || (found[differing] ?? 0) > (versionMin[differing] ?? 0)
}

function download(program: Program, cache: string): void {
  const { name, debian, needs, megabytes } = program
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(cache, `${name}-new-`))
  try {
    const wanted = { name, packages: [debian, ...(needs ?? [])], suites: program.suites ?? suites, megabytes }
    const unpacked = fetchPackages(wanted, scratch)
    if (needs !== undefined) writeStarter(program, unpacked)
    keepFolder(unpacked, join(cache, name))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function writeStarter({ name, binary = `usr/bin/${name}` }: Program, folder: string): void {
  const script = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
for folder in "$here"/lib/*-linux-gnu "$here"/usr/lib/*-linux-gnu; do LD_LIBRARY_PATH="$folder:$LD_LIBRARY_PATH"; done
export LD_LIBRARY_PATH
for program in "$here/usr/sbin/${name}" "$here/${binary}"; do if [ -x "$program" ]; then exec "$program" "$@"; fi; done
`
  writeFileSync(join(folder, name), script, { mode: 0o755 })
}

if (import.meta.main)
  for (const path of [
    await findEtcd(),
    await findKubectl(),
    await findHaproxy(),
    await findEtcdctl(),
    await findPrometheus(),
    await findPromtool(),
  ])
    if (path) process.stdout.write(`${path}\n`)
    else process.exitCode = 1
