import { compareReleases, newestRelease, oldestRelease, type Release } from './release.ts'

/** The release that a component emulates. */
export interface Emulation {
  readonly release: Release
  /** The oldest release of other replicas that share the store. */
  readonly minCompatibility: Release
}

/** The component in flags, and the only one. */
const component = 'kube'

export const defaultEmulation: Emulation = Object.freeze({
  release: newestRelease,
  minCompatibility: before(newestRelease),
})

/**
 * Reads `--emulated-version` and `--min-compatibility-version`: `1.34` or `kube=1.34`. Throws an Error with one line; two
 * faults are joined as `[first, second]`.
 */
export function parseEmulation(emulated: readonly string[], minCompatibility: readonly string[]): Emulation {
  const release = readOnly(emulated) ?? newestRelease
  const oldest = readOnly(minCompatibility)
  const faults: string[] = []
  if (!isBetween(release, oldestRelease, newestRelease))
    faults.push(`emulation version ${show(release)} is not between [${show(oldestRelease)}, ${show(newestRelease)}.0]`)
  const floor = before(oldestRelease)
  if (oldest && !isBetween(oldest, floor, release))
    faults.push(`minCompatibilityVersion version ${show(oldest)} is not between [${show(floor)}, ${show(release)}]`)
  if (faults.length > 0) throw new Error(faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`)
  return { release, minCompatibility: oldest ?? before(release) }
}

function readOnly(words: readonly string[]): Release | undefined {
  let found: { readonly text: string; readonly release: Release } | undefined
  for (const word of words) {
    const parts = word.split('=')
    if (parts.length > 2) throw new Error('malformed pair, expect string=string')
    const [name, text] = parts.length === 2 ? parts : [component, word]
    if (name !== component) throw new Error(`component not registered: ${name}`)
    if (found) throw new Error(`duplicate version flag, ${component}=${found.text} and ${component}=${text}`)
    found = { text: text ?? '', release: readRelease(text ?? '') }
  }
  return found?.release
}

function readRelease(text: string): Release {
  const [, major, minor, rest] = /^v?(\d{1,5})\.(\d{1,5})(\..*)?$/.exec(text) ?? []
  if (major === undefined || minor === undefined) throw new Error(`could not parse "${text}" as version`)
  if (rest !== undefined) throw new Error(`patch version not allowed, got: ${component}=${text}`)
  return { major: Number(major), minor: Number(minor) }
}

function isBetween(release: Release, from: Release, to: Release): boolean {
  return compareReleases(from, release) <= 0 && compareReleases(release, to) <= 0
}

function before({ major, minor }: Release): Release {
  return { major, minor: minor - 1 }
}

function show({ major, minor }: Release): string {
  return `${major}.${minor}`
}
