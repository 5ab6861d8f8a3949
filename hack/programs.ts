// Finds the programs that tests and benchmarks run beside ours: named by the environment, on PATH, in the cache folder, or
// else Debian's own package, fetched with apt from the mirror this machine is set up with. `node hack/programs.ts` prints
// their paths.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

type Version = readonly [number, number, number]

interface Program {
  readonly name: string
  /** Debian's package, and what fetching it amounts to. */
  readonly debian: string
  readonly megabytes: number
  /** Names the program and ends the search. */
  readonly variable: string
  readonly versionMin: Version
  /** Packages that it needs beside the libraries of every Debian. */
  readonly needs?: readonly string[]
  /** Debian's suites to look in; default: those whose packages of etcd and kubectl are new enough. */
  readonly suites?: readonly string[]
  /** Arguments that make it print `version`, whose groups are the three numbers. */
  readonly versionArguments: readonly string[]
  readonly version: RegExp
}

const etcd: Program = {
  name: 'etcd',
  debian: 'etcd-server',
  megabytes: 20,
  variable: 'PILOTHOUSE_ETCD',
  // Below this a progress request may be answered before the events it stands for.
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
  // Later releases need a later C library than many machines have; this one runs on all of them.
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
  needs: ['libnl-3-200', 'libnl-genl-3-200', 'libnftnl11'],
  suites: ['bookworm'],
  megabytes: 1,
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

/** Debian's suites whose packages are new enough, the most stable first. */
const suites = ['trixie', 'forky', 'sid'] as const

const ownSuites = /^(bullseye|bookworm|trixie|forky|sid|oldstable|stable|testing|unstable)$/

/**
 * Path of an etcd of 3.5.8 or later; undefined, with the reason on standard error, when none can be had. Looks at
 * PILOTHOUSE_ETCD, PATH and the cache folder (PILOTHOUSE_CACHE, else ~/.cache/pilothouse), and downloads at last.
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

/** The unpacked program, or a script that starts it with the libraries that were unpacked beside it. */
function cachedPath({ name, needs }: Program, cache: string): string {
  return needs === undefined ? join(cache, name, 'usr', 'bin', name) : join(cache, name, name)
}

/** Outlives a clone of the repository, as the packages are large. */
function cacheFolder(): string {
  const named = process.env['PILOTHOUSE_CACHE']
  if (named) return named
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'pilothouse')
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
  const mirrors = debianMirrors()
  if (mirrors.length === 0) throw new Error('none on PATH, and apt knows no mirror of Debian to fetch it from')
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(cache, `${program.name}-new-`))
  try {
    const failures: string[] = []
    for (const mirror of mirrors)
      for (const suite of program.suites ?? suites) {
        const failure = fetchFrom(mirror, suite, program, scratch)
        if (failure === undefined) return install(program, scratch, cache)
        failures.push(`${suite}: ${failure}`)
      }
    throw new Error(failures.join('; '))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Roots of the Debian mirrors in apt's configuration (those of security updates hold none of this). */
function debianMirrors(): string[] {
  const { status, stdout } = spawnSync('apt-get', ['indextargets', '--format', '$(RELEASE) $(REPO_URI)'], {
    encoding: 'utf8',
  })
  if (status !== 0) return []
  const roots = stdout.split('\n').flatMap((line) => {
    const [release = '', root = ''] = line.split(' ')
    return ownSuites.test(release) && !root.includes('security') ? [root] : []
  })
  return [...new Set(roots)]
}

/** Downloads the package into `scratch`, through lists and caches of our own: apt's are neither used nor changed. */
function fetchFrom(
  mirror: string,
  suite: string,
  { name, debian, needs = [], megabytes }: Program,
  scratch: string,
): string | undefined {
  process.stderr.write(`fetching ${name} from Debian ${suite} (once, ${megabytes} MB)\n`)
  for (const folder of ['lists/partial', 'cache/archives/partial', 'parts'])
    mkdirSync(join(scratch, folder), { recursive: true })
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
  const trust = existsSync(keyring) ? ` [signed-by=${keyring}]` : ''
  const sources = join(scratch, 'sources.list')
  writeFileSync(sources, `deb${trust} ${mirror} ${suite} main\n`)
  // What is installed here is not asked for, whatever its version.
  const status = join(scratch, 'status')
  writeFileSync(status, '')
  const options = {
    'Dir::State::status': status,
    'Dir::Etc::sourcelist': sources,
    'Dir::Etc::sourceparts': join(scratch, 'parts'),
    'Dir::State::lists': join(scratch, 'lists'),
    'Dir::Cache': join(scratch, 'cache'),
    'Acquire::Languages': 'none',
    'Acquire::http::Timeout': '20',
    'Acquire::Retries': '1',
    'APT::Sandbox::User': 'root',
    'APT::Update::Error-Mode': 'any',
  }
  const flags = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const apt = (...command: string[]): string | undefined => {
    const run = spawnSync('apt-get', ['-q', ...flags, ...command], { cwd: scratch, encoding: 'utf8', timeout: 180_000 })
    return run.status === 0 ? undefined : (run.stderr || 'apt-get did not finish').trim().split('\n').at(-1)
  }
  const failure = apt('update') ?? apt('download', debian)
  return needs.reduce((known, library) => known ?? apt('download', library), failure)
}

function install({ name, needs }: Program, scratch: string, cache: string): void {
  const archives = readdirSync(scratch).filter((file) => file.endsWith('.deb'))
  if (archives.length === 0) throw new Error('apt-get downloaded nothing')
  const unpacked = join(scratch, name)
  for (const archive of archives) {
    const run = spawnSync('dpkg-deb', ['-x', join(scratch, archive), unpacked], { encoding: 'utf8' })
    if (run.status !== 0) throw new Error(`dpkg-deb: ${run.stderr}`)
  }
  if (needs !== undefined) writeStarter(name, unpacked)
  const target = join(cache, name)
  if (existsSync(target)) rmSync(target, { recursive: true, force: true })
  try {
    renameSync(unpacked, target)
  } catch (error) {
    // Another process was faster.
    if (!existsSync(target)) throw error
  }
}

function writeStarter(name: string, folder: string): void {
  const script = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
for folder in "$here"/lib/*-linux-gnu "$here"/usr/lib/*-linux-gnu; do LD_LIBRARY_PATH="$folder:$LD_LIBRARY_PATH"; done
export LD_LIBRARY_PATH
exec "$here/usr/sbin/${name}" "$@"
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
