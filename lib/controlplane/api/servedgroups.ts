import type { Logger } from '../../base/index.ts'
import type { VirtualHandler } from '../../endpoints/index.ts'
import type { GroupVersionResource } from '../../object/index.ts'
import type { Registry, ResourceRegistry } from '../../registry/index.ts'
import type { ServedGroup } from '../../schema/index.ts'
import {
  namedTooEarly,
  type Scheme,
  selectServed,
  unknownRuntimeConfig,
  unknownStorageVersions,
} from '../../scheme/index.ts'
import type { ApiserverConfig } from '../config.ts'
import { StartError } from '../process/failure.ts'

/**
 * The groups that have a handler and that --runtime-config and the gates enable. Disabled versions need not exist:
 * manifests outlive the versions that they name.
 */
export function servedGroups(
  { scheme, log }: { readonly scheme: Scheme; readonly log: Logger },
  registry: Registry,
  virtual: readonly VirtualHandler[],
  computed: readonly ResourceRegistry[],
  {
    runtimeConfig,
    storageVersions = {},
    emulation,
  }: Pick<ApiserverConfig, 'runtimeConfig' | 'storageVersions' | 'emulation'>,
  gate: (name: string) => boolean,
): ServedGroup[] {
  const unknown = unknownRuntimeConfig(scheme, runtimeConfig)
  const wanted = unknown.filter((key) => runtimeConfig[key])
  if (wanted.length > 0) throw new StartError(`--runtime-config: unknown: ${wanted.join(', ')}`)
  if (unknown.length > 0)
    log.warn('--runtime-config disables unknown groups or resources', { unknown: unknown.join(', ') })
  const unstored = unknownStorageVersions(scheme, storageVersions)
  if (unstored.length > 0) throw new StartError(`--storage-versions: unknown: ${unstored.join(', ')}`)
  const [tooNew] = namedTooEarly(scheme, { runtimeConfig, gate, emulation })
  if (tooNew !== undefined) throw new StartError(tooNew)
  return selectServed(scheme, { runtimeConfig, gate, emulation })
    .map((group) => ({
      ...group,
      versions: group.versions
        .map(({ version, resources }) => ({
          version,
          resources: resources.filter(
            ({ plural }) =>
              registry.resource({ group: group.name, resource: plural }) !== undefined ||
              computed.some(({ definition: { gvr } }) => gvr.group === group.name && gvr.resource === plural) ||
              virtual.some(({ gvr, subresource }) =>
                isOf(gvr, { group: group.name, version, resource: plural }, subresource),
              ),
          ),
        }))
        .filter(({ resources }) => resources.length > 0),
    }))
    .filter(({ versions }) => versions.length > 0)
}

function isOf(virtual: GroupVersionResource, gvr: GroupVersionResource, subresource: string): boolean {
  return (
    subresource === '' &&
    virtual.resource === gvr.resource &&
    virtual.version === gvr.version &&
    virtual.group === gvr.group
  )
}
