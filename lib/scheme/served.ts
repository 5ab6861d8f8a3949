import { compareReleases, compatibleRelease, parseRelease, type Release } from '../features/index.ts'
import { formatGroupVersion, type GroupVersion } from '../object/index.ts'
import type { ServedGroup, ServedResource } from '../schema/index.ts'
import type { ResourceDefinition, Scheme } from './scheme.ts'

/** `--runtime-config`: `api/all`, `api/ga`, `api/beta`, `api/alpha`, `apps/v1`, `v1`, `apps/v1/deployments`. */
export type RuntimeConfig = Readonly<Record<string, boolean>>

interface ServedOptions {
  readonly runtimeConfig: RuntimeConfig
  /**
   * Versions that this release has removed are not served, whatever runtimeConfig says. Default: the release that is
   * followed.
   */
  readonly release?: Release
  gate(name: string): boolean
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

/** Keys of a runtime-config that name nothing registered: a mistake to tell the operator. */
export function unknownRuntimeConfig(scheme: Scheme, config: RuntimeConfig): string[] {
  const known = new Set(['api/all', 'api/ga', 'api/beta', 'api/alpha'])
  for (const { gvr } of scheme.resources) {
    known.add(formatGroupVersion(gvr))
    known.add(`api/${formatGroupVersion(gvr)}`)
    known.add(`${formatGroupVersion(gvr)}/${gvr.resource}`)
  }
  return Object.keys(config).filter((key) => !known.has(key))
}

/** Versions, as --storage-versions names them, that are not registered. */
export function unknownStorageVersions(scheme: Scheme, versions: Readonly<Record<string, string>>): string[] {
  return Object.entries(versions)
    .filter(([group, version]) => !scheme.resources.some(({ gvr }) => gvr.group === group && gvr.version === version))
    .map(([group, version]) => formatGroupVersion({ group, version }))
}

function servedResources(scheme: Scheme, gv: GroupVersion, options: ServedOptions): ServedResource[] {
  return scheme.resources
    .filter(({ gvr }) => gvr.group === gv.group && gvr.version === gv.version)
    .filter((definition) => isServed(definition, options))
    .map(({ gvr, table }) => ({ plural: gvr.resource, table }))
}

/** The most specific word counts: resource, then version, then stability, then all, then the release's default. */
function isServed(
  { gvr, table }: ResourceDefinition,
  { runtimeConfig, gate, release = compatibleRelease }: ServedOptions,
): boolean {
  if (table.removed !== undefined && compareReleases(parseRelease(table.removed), release) <= 0) return false
  if (table.gate !== undefined && !gate(table.gate)) return false
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
