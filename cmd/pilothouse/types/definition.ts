import { isRecord } from '../../../lib/base/index.ts'

/** One served version of a custom resource. */
export interface DefinedVersion {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
  readonly namespaced: boolean
  /** The version in which objects are stored: its types have the plain names. */
  readonly isMain: boolean
  /** `openAPIV3Schema`. */
  readonly schema: unknown
}

/** The served versions of the definition in a document; undefined where it is another object. Throws an Error of one line. */
export function readDefinition(document: unknown): DefinedVersion[] | undefined {
  if (!isRecord(document) || document['kind'] !== 'CustomResourceDefinition') return undefined
  const apiVersion = document['apiVersion']
  if (apiVersion !== 'apiextensions.k8s.io/v1')
    throw new Error(
      `apiVersion: ${String(apiVersion)} is not apiextensions.k8s.io/v1; pilothouse convert makes that of it`,
    )
  const spec = recordOf(document['spec'], 'spec')
  const names = recordOf(spec['names'], 'spec.names')
  const group = textOf(spec['group'], 'spec.group', /^[a-z0-9.-]+$/)
  const plural = textOf(names['plural'], 'spec.names.plural', /^[a-z0-9-]+$/)
  const kind = textOf(names['kind'], 'spec.names.kind', /^[A-Za-z][A-Za-z0-9-]*$/)
  const scope = textOf(spec['scope'], 'spec.scope', /^(Namespaced|Cluster)$/)
  const versions = spec['versions']
  if (!Array.isArray(versions)) throw new Error('spec.versions: is not a list')
  const served = versions.flatMap((each: unknown, index) => {
    const at = `spec.versions[${index}]`
    const version = recordOf(each, at)
    const name = textOf(version['name'], `${at}.name`, /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/)
    if (version['served'] !== true) return []
    const schema = isRecord(version['schema']) ? version['schema']['openAPIV3Schema'] : undefined
    return [
      {
        group,
        version: name,
        plural,
        kind,
        namespaced: scope === 'Namespaced',
        schema,
        isStored: version['storage'] === true,
      },
    ]
  })
  const main = served.find(({ isStored }) => isStored) ?? served[0]
  return served.map(({ isStored: _, ...each }) => ({ ...each, isMain: each.version === main?.version }))
}

function recordOf(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw new Error(`${path}: is not an object`)
  return value
}

function textOf(value: unknown, path: string, form: RegExp): string {
  if (typeof value !== 'string' || !form.test(value)) throw new Error(`${path}: ${JSON.stringify(value)} is not valid`)
  return value
}
