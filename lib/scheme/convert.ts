import {
  type ApiObject,
  copyObject,
  formatGroupVersion,
  formatGroupVersionKind,
  type GroupVersion,
  type GroupVersionKind,
  parseGroupVersion,
} from '../object/index.ts'
import type { KindHooks } from './scheme.ts'
import { hubGroup, type TypeRegistry } from './typeregistry.ts'

/**
 * Converts between versions of a kind: through its hub, by the kinds' functions; without one, the forms are the same.
 */
export interface Converter {
  /** The hub's group version of a kind; the kind's own when it is not stored. */
  hubOf(gvk: GroupVersionKind): GroupVersion
  convert(object: ApiObject, to: GroupVersion): ApiObject
  /** Conversion between the kind's version and its hub changes nothing but apiVersion. */
  isPlain(gvk: GroupVersionKind): boolean
}

export function createConverter(
  registry: TypeRegistry,
  hooks: (group: string, kind: string) => KindHooks | undefined,
): Converter {
  // Versions that are only stored have no resource.
  const storedAs = new Map(
    registry.resources
      .filter(({ storage, gvr }) => storage && storage.version !== gvr.version)
      .map((resource) => [
        `${formatGroupVersion({ ...resource.gvr, version: resource.storage?.version ?? '' })} ${resource.gvk.kind}`,
        resource,
      ]),
  )
  const hubOf = (gvk: GroupVersionKind): GroupVersion => {
    const resource =
      registry.resourceOfKind(gvk) ??
      storedAs.get(`${formatGroupVersion(gvk)} ${gvk.kind}`) ??
      registry.formerResourceOfKind(gvk)
    return resource ? { group: hubGroup(resource), version: resource.hubVersion } : gvk
  }
  return {
    hubOf,
    isPlain(gvk) {
      const hub = hubOf(gvk)
      return same(gvk, hub) || hooks(hub.group, gvk.kind)?.convert?.[versionKey(gvk, hub)] === undefined
    },
    convert(object, to) {
      const from = groupVersionKindOf(object)
      if (same(from, to)) return object
      const hub = hubOf(from)
      if (!same(hub, hubOf({ ...to, kind: from.kind })))
        throw new Error(`${formatGroupVersionKind(from)} has no version ${formatGroupVersion(to)}`)
      const convert = hooks(hub.group, from.kind)?.convert
      const toHub = same(from, hub) ? undefined : convert?.[versionKey(from, hub)]?.toHub
      const fromHub = same(to, hub) ? undefined : convert?.[versionKey(to, hub)]?.fromHub
      let converted = toHub ? toHub(object) : object
      if (fromHub) converted = fromHub(converted)
      if (converted === object) converted = copyObject(object)
      converted.apiVersion = formatGroupVersion(to)
      return converted
    },
  }
}

/**
 * The key of a version among a kind's conversions: `v1beta1`, or `events.k8s.io/v1` in another group than the hub's.
 */
function versionKey(version: GroupVersion, hub: GroupVersion): string {
  return version.group === hub.group ? version.version : formatGroupVersion(version)
}

function same(a: GroupVersion, b: GroupVersion): boolean {
  return a.version === b.version && a.group === b.group
}

/** Throws when apiVersion is malformed: objects within the server have a valid one. */
export function groupVersionKindOf({ apiVersion, kind }: ApiObject): GroupVersionKind {
  const groupVersion = parseGroupVersion(apiVersion)
  if (!groupVersion) throw new Error(`an object of kind ${kind} has the apiVersion ${JSON.stringify(apiVersion)}`)
  return { ...groupVersion, kind }
}
