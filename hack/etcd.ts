// Finds an etcd server that tests and benchmarks can use: on PATH, in the cache folder, or else Debian's own package,
// fetched with apt from the mirror this machine is set up with. `node hack/etcd.ts` prints the path of the program.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Below this a progress request may be answered before the events it stands for. */
const versionMin = [3, 5, 8] as const

/** Debian's suites whose etcd is new enough, the most stable first. */
const suites = ['trixie', 'forky', 'sid'] as const

const ownSuites = /^(bullseye|bookworm|trixie|forky|sid|oldstable|stable|testing|unstable)$/

/**
 * Path of an etcd of 3.5.8 or later; undefined, with the reason on standard error, when none can be had. Looks at
 * PILOTHOUSE_ETCD, PATH and the cache folder (PILOTHOUSE_CACHE, else ~/.cache/pilothouse), and downloads at last.
 */
export async function findEtcd(): Promise<string | undefined> {
  const named = process.env['PILOTHOUSE_ETCD']
  if (named) return named
  const cache = cacheFolder()
  const cached = join(cache, 'etcd', 'usr', 'bin', 'etcd')
  for (const candidate of ['etcd', cached]) if (isUsable(candidate)) return candidate
  try {
    download(cache)
    if (isUsable(cached)) return cached
    throw new Error('the unpacked program does not run here')
  } catch (error) {
    process.stderr.write(
      `no etcd ${versionMin.join('.')} or later: ${error instanceof Error ? error.message : error}\n`,
    )
    return undefined
  }
}

/** Outlives a clone of the repository, as the package is 11 MB. */
function cacheFolder(): string {
  const named = process.env['PILOTHOUSE_CACHE']
  if (named) return named
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'pilothouse')
}

function isUsable(program: string): boolean {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  const version = status === 0 ? /etcd Version: (\d+)\.(\d+)\.(\d+)/.exec(stdout) : null
  if (!version) return false
  const found = version.slice(1).map(Number)
  const differing = versionMin.findIndex((part, index) => found[index] !== part)
  return differing < 0 || (found[differing] ?? 0) > (versionMin[differing] ?? 0)
}

function download(cache: string): void {
  const mirrors = debianMirrors()
  if (mirrors.length === 0) throw new Error('none on PATH, and apt knows no mirror of Debian to fetch it from')
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(cache, 'etcd-new-'))
  try {
    const failures: string[] = []
    for (const mirror of mirrors)
      for (const suite of suites) {
        const failure = fetchFrom(mirror, suite, scratch)
        if (failure === undefined) return install(scratch, cache)
        failures.push(`${suite}: ${failure}`)
      }
    throw new Error(failures.join('; '))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Roots of the Debian mirrors in apt's configuration (those of security updates hold no etcd). */
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
function fetchFrom(mirror: string, suite: string, scratch: string): string | undefined {
  process.stderr.write(`fetching etcd from Debian ${suite} (once, 20 MB)\n`)
  for (const folder of ['lists/partial', 'cache/archives/partial', 'parts'])
    mkdirSync(join(scratch, folder), { recursive: true })
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
  const trust = existsSync(keyring) ? ` [signed-by=${keyring}]` : ''
  const sources = join(scratch, 'sources.list')
  writeFileSync(sources, `deb${trust} ${mirror} ${suite} main\n`)
  const options = {
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
  for (const command of [['update'], ['download', 'etcd-server']]) {
    const run = spawnSync('apt-get', ['-q', ...flags, ...command], { cwd: scratch, encoding: 'utf8', timeout: 180_000 })
    if (run.status !== 0) return (run.stderr || 'apt-get did not finish').trim().split('\n').at(-1)
  }
  return undefined
}

function install(scratch: string, cache: string): void {
  const archive = readdirSync(scratch).find((file) => file.endsWith('.deb'))
  if (!archive) throw new Error('apt-get downloaded nothing')
  const unpacked = join(scratch, 'etcd')
  const run = spawnSync('dpkg-deb', ['-x', join(scratch, archive), unpacked], { encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`dpkg-deb: ${run.stderr}`)
  const target = join(cache, 'etcd')
  if (existsSync(target)) rmSync(target, { recursive: true, force: true })
  try {
    renameSync(unpacked, target)
  } catch (error) {
    // Another process was faster.
    if (!existsSync(target)) throw error
  }
}

if (import.meta.main) {
  const path = await findEtcd()
  if (path) process.stdout.write(`${path}\n`)
  else process.exitCode = 1
}
