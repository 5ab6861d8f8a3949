import type * as v1alpha1 from '../../../../api/gen/storagemigration.k8s.io/v1alpha1.ts'
import type * as v1beta1 from '../../../../api/gen/storagemigration.k8s.io/v1beta1.ts'
import { type ApiObject, copyObject, parseJsonText } from '../../../object/index.ts'

/** These annotations hold fields that only one version has. */
const annotation = {
  /** From v1alpha1: the resource's version, and where the next list begins. */
  version: 'storagemigration.alpha.kubernetes.io/version',
  continueToken: 'storagemigration.alpha.kubernetes.io/continue-token',
  /** From v1beta1: each condition's generation, or null. */
  observedGenerations: 'storagemigration.alpha.kubernetes.io/observed-generations',
} as const

export function toV1alpha1(object: ApiObject): ApiObject {
  const result = copyObject(object)
  const given = annotationsOf(object)
  const { resource, ...spec } = object['spec'] as v1beta1.StorageVersionMigrationSpec
  const { conditions, ...status } = (object['status'] ?? {}) as v1beta1.StorageVersionMigrationStatus
  const version = given[annotation.version]
  const continueToken = given[annotation.continueToken]
  delete given[annotation.version]
  delete given[annotation.continueToken]
  result['spec'] = {
    ...spec,
    resource: { ...resource, ...(version === undefined ? {} : { version }) },
    ...(continueToken === undefined ? {} : { continueToken }),
  }
  const generations = conditions?.map(({ observedGeneration }) => observedGeneration ?? null)
  if (generations?.some((generation) => generation !== null))
    given[annotation.observedGenerations] = JSON.stringify(generations)
  result['status'] = {
    ...status,
    ...(conditions && {
      conditions: conditions.map(({ lastTransitionTime, observedGeneration: _, ...condition }) => ({
        ...condition,
        lastUpdateTime: lastTransitionTime,
      })),
    }),
  }
  return withAnnotations(result, given)
}

export function fromV1alpha1(object: ApiObject): ApiObject {
  const result = copyObject(object)
  const given = annotationsOf(object)
  const { resource, continueToken, ...spec } = object['spec'] as v1alpha1.StorageVersionMigrationSpec
  const { conditions, ...status } = (object['status'] ?? {}) as v1alpha1.StorageVersionMigrationStatus
  const { version, ...groupResource } = resource
  if (version) given[annotation.version] = version
  if (continueToken) given[annotation.continueToken] = continueToken
  result['spec'] = { ...spec, resource: { group: '', resource: '', ...groupResource } }
  const generations = readGenerations(given[annotation.observedGenerations])
  delete given[annotation.observedGenerations]
  result['status'] = {
    ...status,
    ...(conditions && {
      conditions: conditions.map(({ lastUpdateTime, ...condition }, index) => ({
        reason: '',
        message: '',
        ...condition,
        ...(generations[index] ? { observedGeneration: generations[index] } : {}),
        lastTransitionTime: lastUpdateTime,
      })),
    }),
  }
  return withAnnotations(result, given)
}

function annotationsOf({ metadata }: ApiObject): Record<string, string> {
  return { ...metadata.annotations }
}

function withAnnotations(object: ApiObject, annotations: Record<string, string>): ApiObject {
  if (Object.keys(annotations).length > 0) object.metadata.annotations = annotations
  else delete object.metadata.annotations
  return object
}

/** An invalid text is ignored. */
function readGenerations(text: string | undefined): readonly unknown[] {
  try {
    const value: unknown = parseJsonText(text ?? '[]')
    return Array.isArray(value) ? value.map((item) => (Number.isSafeInteger(item) ? item : null)) : []
  } catch {
    return []
  }
}
