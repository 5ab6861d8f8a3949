import type { ObjectVersions, ServedForm } from '../../admission/index.ts'
import {
  type ApiObject,
  type GroupVersionKind,
  type GroupVersionResource,
  parseGroupVersion,
  statusErrors,
} from '../../object/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { ServedGroups } from '../../schema/index.ts'
import type { ObjectCodec, Scheme } from '../../scheme/index.ts'

/** The served versions of resources and the conversion between them; the codecs of custom resources convert these. */
export function createObjectVersions({
  scheme,
  registry,
  served,
}: {
  readonly scheme: Scheme
  readonly registry: Registry
  readonly served: ServedGroups
}): ObjectVersions {
  function codecOf(
    of: GroupVersionResource,
    kind: GroupVersionKind,
  ): Pick<ObjectCodec, 'convert' | 'encodeObject' | 'decodeObject' | 'kind'> {
    const own = registry.resource(of)?.codec
    return own?.kind(kind) ? own : scheme.objects
  }
  return {
    served: () => served.list(),
    equivalents: ({ group, resource }, subresource) =>
      groupsOf(group, resource).flatMap((name) => formsOf(served, name, resource, subresource)),
    convert(object, of, to) {
      const from = kindOf(object)
      return from.version === to.version && from.group === to.group ? object : codecOf(of, from).convert(object, to)
    },
    encode(object, of) {
      const bytes = codecOf(of, kindOf(object)).encodeObject(object, { mediaType: 'application/json' })
      return Buffer.from(bytes).toString().trimEnd()
    },
    decode(tree, of, kind, { strict = false } = {}) {
      const fieldValidation = strict ? 'Warn' : 'Ignore'
      const options = { mediaType: 'application/json', expected: kind, fieldValidation } as const
      const { object, strictErrors } = codecOf(of, kind).decodeObject({ tree }, options)
      if (strictErrors.length > 0) throw statusErrors.badRequest(`strict decoding error: ${strictErrors.join(', ')}`)
      return object
    },
    struct: (of, kind) => codecOf(of, kind).kind(kind)?.struct,
  }
}

/** Events are the only resource in two groups. */
function groupsOf(group: string, resource: string): readonly string[] {
  return resource === 'events' && (group === '' || group === 'events.k8s.io') ? ['', 'events.k8s.io'] : [group]
}

function formsOf(served: ServedGroups, group: string, resource: string, subresource: string): ServedForm[] {
  return (served.group(group)?.versions ?? []).flatMap(({ version, resources }): ServedForm[] => {
    const table = resources.find(({ plural }) => plural === resource)?.table
    const part = subresource === '' ? undefined : table?.subresources?.[subresource]
    if (!table || (subresource !== '' && !part)) return []
    const own = part?.groupVersion === undefined ? { group, version } : versionOf(part.groupVersion)
    return [{ resource: { group, version, resource }, kind: { ...own, kind: part?.kind ?? table.kind } }]
  })
}

function kindOf({ apiVersion, kind }: ApiObject): GroupVersionKind {
  return { ...versionOf(apiVersion), kind }
}

function versionOf(text: string): { group: string; version: string } {
  return parseGroupVersion(text) ?? { group: '', version: text }
}
