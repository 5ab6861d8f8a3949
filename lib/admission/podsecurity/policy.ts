import { type FieldError, FieldPath, fieldErrors } from '../../object/index.ts'

type Level = 'privileged' | 'baseline' | 'restricted'

/** A level, and the release whose rules apply. */
export interface Standard {
  readonly level: Level
  /** Minor release of 1.x; 'latest': the newest known one. */
  readonly version: number | 'latest'
}

export type Mode = 'enforce' | 'audit' | 'warn'
export type NamespaceLevels = Readonly<Record<Mode, Standard>>

export const labelPrefix = 'pod-security.kubernetes.io/'
export const modes: readonly Mode[] = ['enforce', 'audit', 'warn']
/** Ascending. */
const levels: readonly Level[] = ['privileged', 'baseline', 'restricted']
const levelText = `must be one of ${levels.join(', ')}`
const versionText = 'must be "latest" or "v1.x"'

/** `baseline:latest`, `restricted:v1.25` */
export function formatStandard({ level, version }: Standard): string {
  return `${level}:${formatVersion(version)}`
}

export function formatVersion(version: Standard['version']): string {
  return version === 'latest' ? version : `v1.${version}`
}

/** Undefined: it is neither `latest` nor `v1.x`. */
export function parseVersion(text: string): Standard['version'] | undefined {
  if (text === 'latest') return text
  const minor = /^v1\.(0|[1-9]\d{0,8})$/.exec(text)?.[1]
  return minor === undefined ? undefined : Number(minor)
}

export function parseLevel(text: string): Level | undefined {
  return levels.find((level) => level === text)
}

export function isStricter(left: Level, right: Level): boolean {
  return levels.indexOf(left) > levels.indexOf(right)
}

/**
 * The policy of a namespace's labels, over the defaults. A label that can't be read is enforced as restricted, and
 * causes neither audit annotations nor warnings.
 */
export function policyOf(
  labels: Readonly<Record<string, string>> | undefined,
  defaults: NamespaceLevels,
): { policy: NamespaceLevels; errors: FieldError[] } {
  const errors: FieldError[] = []
  const read = <Value>(key: string, parse: (text: string) => Value | undefined, why: string, otherwise: Value) => {
    const label = labelPrefix + key
    const text = labels && Object.hasOwn(labels, label) ? labels[label] : undefined
    if (text === undefined) return undefined
    const value = parse(text)
    if (value === undefined) errors.push(fieldErrors.invalid(path.key(label), text, why))
    return value ?? otherwise
  }
  const standard = (mode: Mode): Standard => ({
    level: read(mode, parseLevel, levelText, mode === 'enforce' ? 'restricted' : 'privileged') ?? defaults[mode].level,
    version:
      read<Standard['version']>(`${mode}-version`, parseVersion, versionText, 'latest') ?? defaults[mode].version,
  })
  return { policy: { enforce: standard('enforce'), audit: standard('audit'), warn: standard('warn') }, errors }
}

const path = FieldPath.root('metadata').child('labels')
