// Fetches Debian packages and sources with apt from this machine's configured mirror, and unpacks them into a folder:
// nothing is installed, and apt's own lists and caches are neither used nor changed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

interface Wanted {
  /** Purpose of the packages, for messages and as the folder's name. */
  readonly name: string
  readonly packages: readonly string[]
  /** Debian suites to search, the most stable first. */
  readonly suites: readonly string[]
  /** Size of the download. */
  readonly megabytes: number
}

const ownSuites = /^(bullseye|bookworm|trixie|forky|sid|oldstable|stable|testing|unstable)$/

/** Survives a clone of the repository, as the packages are large. */
export function cacheFolder(): string {
  const named = process.env['PILOTHOUSE_CACHE']
  if (named) return named
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'pilothouse')
}

/**
 * The folder in `scratch` that all packages were unpacked into, from the first suite that has them. Throws when none
 * has.
 */
export function fetchPackages(wanted: Wanted, scratch: string): string {
  fetchFromFirst(wanted, 'deb', scratch, (apt) => apt('download', ...wanted.packages))
  return unpack(join(scratch, wanted.name), scratch)
}

/** As fetchPackages, with all packages that they depend on: a root of Debian, but for what installing would configure. */
export function fetchRoot(wanted: Wanted, scratch: string): string {
  const line = ['install', '--yes', '--download-only', '--no-install-recommends', ...wanted.packages]
  fetchFromFirst(wanted, 'deb', scratch, (apt) => apt(...line))
  return unpack(join(scratch, wanted.name), join(scratch, 'cache/archives'))
}

/**
 * The folder in `scratch` with the source of `wanted.packages`, which is one, and Debian's changes to it. Throws when no
 * suite has it, and where dpkg-source is missing.
 */
export function fetchSource(wanted: Wanted, scratch: string): string {
  fetchFromFirst(wanted, 'deb-src', scratch, (apt) => apt('source', '--only-source', ...wanted.packages))
  const [name = ''] = wanted.packages
  const folder = readdirSync(scratch, { withFileTypes: true }).find(
    (entry) => entry.isDirectory() && entry.name.startsWith(`${name}-`),
  )
  if (!folder) throw new Error(`apt-get unpacked no source of ${name}: dpkg-dev is needed`)
  return join(scratch, folder.name)
}

/** Runs apt-get, and returns the reason of a failure. */
type Apt = (...command: string[]) => string | undefined

/** Runs `fetch` with the lists of one mirror and suite after the other until it succeeds. */
function fetchFromFirst(
  wanted: Wanted,
  kind: 'deb' | 'deb-src',
  scratch: string,
  fetch: (apt: Apt) => string | undefined,
): void {
  const mirrors = debianMirrors()
  if (mirrors.length === 0) throw new Error('none on PATH, and apt knows no mirror of Debian to fetch it from')
  const failures: string[] = []
  for (const mirror of mirrors)
    for (const suite of wanted.suites) {
      process.stderr.write(`fetching ${wanted.name} from Debian ${suite} (once, ${wanted.megabytes} MB)\n`)
      const apt = aptOf({ kind, mirror, suite }, scratch)
      const failure = apt('update') ?? fetch(apt)
      if (failure === undefined) return
      failures.push(`${suite}: ${failure}`)
    }
  throw new Error(failures.join('; '))
}

/** Moves a finished folder to its final place, replacing the previous one. */
export function keepFolder(folder: string, target: string): void {
  if (existsSync(target)) rmSync(target, { recursive: true, force: true })
  try {
    renameSync(folder, target)
  } catch (error) {
    // Another process was faster.
    if (!existsSync(target)) throw error
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

/** An apt-get that knows one suite and works in `scratch`. */
function aptOf({ kind, mirror, suite }: Record<'kind' | 'mirror' | 'suite', string>, scratch: string): Apt {
  for (const folder of ['lists/partial', 'cache/archives/partial', 'parts'])
    mkdirSync(join(scratch, folder), { recursive: true })
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
  const trust = existsSync(keyring) ? ` [signed-by=${keyring}]` : ''
  const sources = join(scratch, 'sources.list')
  writeFileSync(sources, `${kind}${trust} ${mirror} ${suite} main\n`)
  // Packages that are installed here are ignored, whatever their version.
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
  return (...command) => {
    const run = spawnSync('apt-get', ['-q', ...flags, ...command], { cwd: scratch, encoding: 'utf8', timeout: 180_000 })
    return run.status === 0 ? undefined : (run.stderr || 'apt-get did not finish').trim().split('\n').at(-1)
  }
}

function unpack(folder: string, downloads: string): string {
  const archives = readdirSync(downloads).filter((file) => file.endsWith('.deb'))
  if (archives.length === 0) throw new Error('apt-get downloaded nothing')
  for (const archive of archives) {
    const run = spawnSync('dpkg-deb', ['-x', join(downloads, archive), folder], { encoding: 'utf8' })
    if (run.status !== 0) throw new Error(`dpkg-deb: ${run.stderr}`)
  }
  return folder
}
