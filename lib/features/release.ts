/** A release of the API, such as 1.33. */
export interface Release {
  readonly major: number
  readonly minor: number
}

/** Releases that `--emulated-version` may name: the API's tables contain what they serve, and the gates what is on. */
export const oldestRelease: Release = { major: 1, minor: 33 }
/** Its behaviour and gate defaults apply unless a flag names another. */
export const newestRelease: Release = { major: 1, minor: 36 }

/** Parses `1.33`. Throws for anything else. */
export function parseRelease(text: string): Release {
  const [, major, minor] = /^v?(\d{1,5})\.(\d{1,5})$/.exec(text) ?? []
  if (major === undefined || minor === undefined) throw new Error(`"${text}" is not a release such as 1.33`)
  return { major: Number(major), minor: Number(minor) }
}

/** Negative when `left` is earlier. */
export function compareReleases(left: Release, right: Release): number {
  return left.major - right.major || left.minor - right.minor
}

/** The program's build and its machine. */
interface Build {
  /** The package's version: `0.1.0`. */
  readonly packageVersion: string
  /** Empty when the program runs from its sources. */
  readonly gitCommit?: string
  readonly gitTreeState?: 'clean' | 'dirty' | 'archive'
  /** RFC 3339. */
  readonly buildDate?: string
  /** From process.version, process.platform and process.arch. */
  readonly nodeVersion: string
  readonly platform: string
  readonly arch: string
}

/** The body of /version, in the order of the fields. */
export interface VersionInfo {
  readonly major: string
  readonly minor: string
  readonly emulationMajor: string
  readonly emulationMinor: string
  readonly minCompatibilityMajor: string
  readonly minCompatibilityMinor: string
  readonly gitVersion: string
  readonly gitCommit: string
  readonly gitTreeState: string
  readonly buildDate: string
  readonly goVersion: string
  readonly compiler: string
  readonly platform: string
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' }

/**
 * Clients see the emulated release: charts and controllers choose by it which APIs to use. Clients compare `gitVersion`
 * as a semantic version, so our own version is in its build metadata. `goVersion` and `compiler` name Node: clients
 * only show them.
 */
export function versionInfo(
  build: Build,
  { release, minCompatibility }: { readonly release: Release; readonly minCompatibility: Release },
): VersionInfo {
  const { major, minor } = release
  return {
    major: String(major),
    minor: String(minor),
    emulationMajor: String(major),
    emulationMinor: String(minor),
    minCompatibilityMajor: String(minCompatibility.major),
    minCompatibilityMinor: String(minCompatibility.minor),
    gitVersion: `v${major}.${minor}.0+pilothouse.${build.packageVersion}`,
    gitCommit: build.gitCommit ?? 'unknown',
    gitTreeState: build.gitTreeState ?? 'archive',
    buildDate: build.buildDate ?? '1970-01-01T00:00:00Z',
    goVersion: `node${build.nodeVersion.replace(/^v/, '')}`,
    compiler: 'node',
    platform: `${build.platform === 'win32' ? 'windows' : build.platform}/${architectures[build.arch] ?? build.arch}`,
  }
}
