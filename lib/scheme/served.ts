import { compareReleases, defaultEmulation, type Emulation, parseRelease, type Release } from '../features/index.ts'
import { formatGroupVersion, type GroupVersion } from '../object/index.ts'
import type { ServedGroup, ServedResource } from '../schema/index.ts'
import type { ResourceDefinition, Scheme } from './scheme.ts'

/** `--runtime-config`: `api/all`, `api/ga`, `api/beta`, `api/alpha`, `apps/v1`, `v1`, `apps/v1/deployments`. */
export type RuntimeConfig = Readonly<Record<string, boolean>>

interface ServedOptions {
  readonly runtimeConfig: RuntimeConfig
  /**
   * Versions that its release has removed are served where runtimeConfig names them, and later ones where
   * NewerVersions allows it. Default: the newest release.
   */
  readonly emulation?: (Emulation & NewerVersions) | undefined
  gate(name: string): boolean
}

/** Versions of APIs that came after the emulated release. */
export interface NewerVersions {
  /** Serves beta and stable ones of resources that have an older served version. */
  readonly servesNewerVersions: boolean
  /** Serves those that runtimeConfig names. */
  readonly servesNewerNamed: boolean
}

/** The served part of all registered groups: groups in discovery order, versions in order of preference. */
export function selectServed(scheme: Scheme, options: ServedOptions): ServedGroup[] {
  const groups: ServedGroup[] = []
  for (const { group, versions } of scheme.groups) {
    const served = versions
      .map((version) => ({ version, resources: servedResources(scheme, { group, version }, options) }))
      .filter(({ resources }) => resources.length > 0)
    if (served.length > 0) groups.push({ name: group, versions: served })
  }
  return groups
}

/** Keys of a runtime-config without a registered counterpart: probably the operator's mistake. */
export function unknownRuntimeConfig(scheme: Scheme, config: RuntimeConfig): string[] {
  const known = new Set(['api/all', 'api/ga', 'api/beta', 'api/alpha'])
  for (const { gvr } of scheme.resources) {
    known.add(formatGroupVersion(gvr))
    known.add(`api/${formatGroupVersion(gvr)}`)
    known.add(`${formatGroupVersion(gvr)}/${gvr.resource}`)
  }
  return Object.keys(config).filter((key) => !known.has(key))
}

/** Versions in --storage-versions that are not registered. */
export function unknownStorageVersions(scheme: Scheme, versions: Readonly<Record<string, string>>): string[] {
  return Object.entries(versions)
    .filter(([group, version]) => !scheme.resources.some(({ gvr }) => gvr.group === group && gvr.version === version))
    .map(([group, version]) => formatGroupVersion({ group, version }))
}

function servedResources(scheme: Scheme, gv: GroupVersion, options: ServedOptions): ServedResource[] {
  return scheme.resources
    .filter(({ gvr }) => gvr.group === gv.group && gvr.version === gv.version)
    .filter((definition) => isServed(scheme, definition, options))
    .map(({ gvr, table }) => ({ plural: gvr.resource, table }))
}

function isServed(scheme: Scheme, definition: ResourceDefinition, options: ServedOptions): boolean {
  const { table } = definition
  const { emulation, gate } = options
  const { release } = emulation ?? defaultEmulation
  if (isRemoved(definition, release) && !isNamed(definition, options.runtimeConfig)) return false
  if (table.gate !== undefined && !gate(table.gate)) return false
  if (emulation && isNewer(definition, release) && !isNewerAllowed(scheme, definition, options, emulation)) return false
  return isEnabled(definition, options.runtimeConfig)
}

function isRemoved({ table }: ResourceDefinition, release: Release): boolean {
  return table.removed !== undefined && compareReleases(parseRelease(table.removed), release) <= 0
}

function isNamed({ gvr }: ResourceDefinition, runtimeConfig: RuntimeConfig): boolean {
  const version = formatGroupVersion(gvr)
  return [`${version}/${gvr.resource}`, version].some((key) => runtimeConfig[key])
}

function isNewer({ table }: ResourceDefinition, release: Release): boolean {
  return table.introduced !== undefined && compareReleases(parseRelease(table.introduced), release) > 0
}

function isNewerAllowed(
  scheme: Scheme,
  definition: ResourceDefinition,
  options: ServedOptions,
  { release, servesNewerVersions, servesNewerNamed }: Emulation & NewerVersions,
): boolean {
  const { gvr } = definition
  if (servesNewerNamed && isNamed(definition, options.runtimeConfig)) return true
  return (
    servesNewerVersions &&
    stability(gvr.version) !== 'alpha' &&
    scheme.resources.some(
      (older) =>
        older.gvr.group === gvr.group &&
        older.gvr.resource === gvr.resource &&
        !isNewer(older, release) &&
        isServed(scheme, older, options),
    )
  )
}

/** The versions and resources that runtimeConfig names although the emulated release did not have them, one a line. */
export function namedTooEarly(scheme: Scheme, { runtimeConfig, emulation }: ServedOptions): string[] {
  if (!emulation || emulation.servesNewerNamed) return []
  const { release } = emulation
  const hint = 'Consider setting --runtime-config-emulation-forward-compatible=true'
  const shown = `${release.major}.${release.minor}`
  return Object.keys(runtimeConfig).flatMap((key) => {
    if (!runtimeConfig[key]) return []
    const named = scheme.resources.filter(({ gvr }) => formatGroupVersion(gvr) === key)
    if (named.length > 0 && named.every((definition) => isNewer(definition, release)))
      return [
        `cannot enable version ${key} in runtime-config because all the resources have been introduced after the current version ${shown}. ${hint}`,
      ]
    const [one] = scheme.resources.filter(({ gvr }) => `${formatGroupVersion(gvr)}/${gvr.resource}` === key)
    if (!one || !isNewer(one, release)) return []
    return [
      `cannot enable resource ${key} in runtime-config because it is introduced at ${one.table.introduced} after the current version ${shown}. ${hint}`,
    ]
  })
}

/** The most specific setting counts: resource, then version, then stability, then all, then the release's default. */
function isEnabled({ gvr, table }: ResourceDefinition, runtimeConfig: RuntimeConfig): boolean {
  const version = formatGroupVersion(gvr)
  const words = [
    `${version}/${gvr.resource}`,
    version,
    ...(gvr.group === '' ? [`api/${version}`] : []),
    `api/${stability(gvr.version)}`,
    'api/all',
  ]
  for (const word of words) {
    const value = runtimeConfig[word]
    if (value !== undefined) return value
  }
  return table.served !== false
}

function stability(version: string): 'alpha' | 'beta' | 'ga' {
  if (version.includes('alpha')) return 'alpha'
  return version.includes('beta') ? 'beta' : 'ga'
}
