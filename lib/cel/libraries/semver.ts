import { globalForm, type Library, memberForm } from '../check/function.ts'
import { types } from '../check/types.ts'
import { int64 } from '../run/arithmetic.ts'
import { sizeOf, traversal } from '../run/cost.ts'
import { invalidArgument } from '../run/errors.ts'
import { Opaque, type Value } from '../run/values.ts'

const { string, bool, int } = types

/** kubernetes.Semver */
class SemverValue extends Opaque {
  readonly numbers: readonly [bigint, bigint, bigint]
  readonly prerelease: readonly string[]
  constructor(numbers: readonly [bigint, bigint, bigint], prerelease: readonly string[]) {
    super()
    this.numbers = numbers
    this.prerelease = prerelease
  }
  get typeName(): string {
    return 'kubernetes.Semver'
  }
  equals(other: Opaque): boolean {
    return other instanceof SemverValue && compare(this, other) === 0
  }
}

/**
 * semver, isSemver (a second argument true accepts `v1` and adds missing numbers), major, minor, patch and comparisons.
 */
export function semverLibrary({ lenient = true }: { readonly lenient?: boolean } = {}): Library {
  const semver = types.opaque('kubernetes.Semver')
  // The stock server's worst case counts these as one unit, whatever the text.
  const extras = { cost: (text: Value) => traversal(sizeOf(text)) }
  const toSemver = (text: string, lenient: boolean | null): Value =>
    parseSemver(text, lenient === true) ?? invalidArgument('semver parse error: invalid version')
  const isSemver = (text: string, lenient: boolean | null): boolean => parseSemver(text, lenient === true) !== undefined
  const part = (name: string, index: 0 | 1 | 2) => ({
    name,
    overloads: [memberForm(`semver_${name}`, [semver], int, (v: SemverValue) => int64(v.numbers[index]))],
  })
  const test = (name: string, call: (a: SemverValue, b: SemverValue) => Value, result = bool) => ({
    name,
    overloads: [memberForm(`semver_${name}`, [semver, semver], result, call)],
  })
  return {
    name: 'semver',
    types: [semver],
    functions: [
      {
        name: 'semver',
        overloads: [
          globalForm('string_to_semver', [string], semver, toSemver, extras),
          ...(lenient ? [globalForm('string_bool_to_semver', [string, bool], semver, toSemver, extras)] : []),
        ],
      },
      {
        name: 'isSemver',
        overloads: [
          globalForm('is_semver_string', [string], bool, isSemver, extras),
          ...(lenient ? [globalForm('is_semver_string_bool', [string, bool], bool, isSemver, extras)] : []),
        ],
      },
      part('major', 0),
      part('minor', 1),
      part('patch', 2),
      test('isLessThan', (a, b) => compare(a, b) < 0),
      test('isGreaterThan', (a, b) => compare(a, b) > 0),
      test('compareTo', compare, int),
    ],
  }
}

const uint64Max = 0xffffffffffffffffn
const textMax = 1024

function parseSemver(text: string, lenient: boolean): SemverValue | undefined {
  if (text.length > textMax) return undefined
  const given = lenient ? normalized(text) : text
  const match =
    /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/.exec(
      given ?? '',
    )
  if (!match) return undefined
  const [major = 0n, minor = 0n, patch = 0n] = match.slice(1, 4).map(BigInt)
  if ([major, minor, patch].some((number) => number > uint64Max)) return undefined
  const prerelease = match[4]?.split('.') ?? []
  if (prerelease.some((part) => /^0\d+$/.test(part))) return undefined
  return new SemverValue([major, minor, patch], prerelease)
}

/** Drops `v` and leading zeros, adds missing numbers. A short version can have no suffix. */
function normalized(text: string): string | undefined {
  const parts = text.replace(/^v/, '').split(/\.(.*)/s, 2)
  const [second = '', third] = (parts[1] ?? '').split(/\.(.*)/s, 2)
  const all = [parts[0] ?? '', ...(parts.length > 1 ? [second] : []), ...(third === undefined ? [] : [third])]
  if (all.length < 3 && /[+-]/.test(all.at(-1) ?? '')) return undefined
  while (all.length < 3) all.push('0')
  return all.map((part) => part.replace(/^0+(?=\d)/, '')).join('.')
}

/** By precedence: a pre-release is below its release; build metadata is ignored. */
function compare(a: SemverValue, b: SemverValue): number {
  for (const index of [0, 1, 2] as const) {
    if (a.numbers[index] !== b.numbers[index]) return a.numbers[index] < b.numbers[index] ? -1 : 1
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return Math.sign(b.prerelease.length - a.prerelease.length)
  }
  const length = Math.min(a.prerelease.length, b.prerelease.length)
  for (let index = 0; index < length; index++) {
    const sign = compareIdentifiers(a.prerelease[index] ?? '', b.prerelease[index] ?? '')
    if (sign !== 0) return sign
  }
  return Math.sign(a.prerelease.length - b.prerelease.length)
}

function compareIdentifiers(a: string, b: string): number {
  const [aNumber, bNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (aNumber && bNumber) {
    const [x, y] = [BigInt(a), BigInt(b)]
    return x < y ? -1 : x > y ? 1 : 0
  }
  if (aNumber !== bNumber) return aNumber ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}
