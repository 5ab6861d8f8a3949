import { ageColumn, type Column, countColumn, type ScaleAccess, textColumn } from '../../kinds/index.ts'
import {
  type ApiObject,
  fieldErrors,
  type GroupResource,
  type GroupVersionKind,
  type ObjectMeta,
  statusErrors,
} from '../../object/index.ts'

const scaleGvk: GroupVersionKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' }

/** The metadata fields that a scale copies from its object. */
const shownMetadata = ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp'] as const

interface Scale extends ApiObject {
  spec?: { replicas?: number }
}

/**
 * Shows objects as autoscaling/v1 Scales: of a client's Scale only the replicas, the uid and the resourceVersion are
 * used.
 * `read`: converts an object to the version whose paths `access` knows.
 */
export function scaleView(
  access: ScaleAccess,
  { group, resource }: GroupResource,
  read: (object: ApiObject) => ApiObject = (object) => object,
): {
  gvk: GroupVersionKind
  /** The columns of the objects themselves. */
  columns: readonly Column[]
  toServed(object: ApiObject): ApiObject
  toWorking(scale: ApiObject, existing?: ApiObject): ApiObject
  /**
   * Throws where there are no replicas to show; a write may set them all the same. Absent for built-in kinds, which
   * always have some.
   */
  checkShown?(object: ApiObject): void
} {
  return {
    gvk: scaleGvk,
    columns: [
      textColumn('Name', 'Name of the object that is scaled.', (object) => object.metadata.name ?? ''),
      countColumn('Desired', 'Replicas that are wanted.', (object) => access.replicas(object) ?? 0),
      countColumn('Available', 'Replicas that there are.', (object) => access.actualReplicas(object)),
      ageColumn,
    ],
    toServed(hub) {
      const object = read(hub)
      const replicas = access.replicas(object) ?? 0
      const selector = access.selector(object)
      return {
        kind: scaleGvk.kind,
        apiVersion: 'autoscaling/v1',
        metadata: metadataOf(object),
        spec: replicas === 0 ? {} : { replicas },
        status: { replicas: access.actualReplicas(object), ...(selector === '' ? {} : { selector }) },
      }
    },
    toWorking(scale, stored) {
      const existing = stored && read(stored)
      const { name = '', uid = '', resourceVersion } = scale.metadata
      if (!existing) throw statusErrors.noSuchResource()
      const replicas = (scale as Scale).spec?.replicas ?? 0
      if (replicas < 0 && access.replicasPath === undefined)
        throw statusErrors.invalid({ group: scaleGvk.group, kind: scaleGvk.kind }, name, [
          fieldErrors.invalid('spec.replicas', replicas, 'must be greater than or equal to 0'),
        ])
      const { uid: actual = '' } = existing.metadata
      if (uid !== '' && uid !== actual) {
        const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${actual}`
        throw statusErrors.conflict({ group, resource: `${resource}/scale` }, name, why)
      }
      const object = access.withReplicas(existing, replicas)
      const metadata = { ...existing.metadata }
      if (resourceVersion) metadata.resourceVersion = resourceVersion
      return { ...object, metadata }
    },
    ...(access.replicasPath === undefined ? {} : { checkShown: needsReplicas(access, access.replicasPath, read) }),
  }
}

function needsReplicas(
  access: ScaleAccess,
  path: string,
  read: (object: ApiObject) => ApiObject,
): (object: ApiObject) => void {
  return (hub) => {
    if (access.replicas(read(hub)) !== undefined) return
    throw statusErrors.internal(`the spec replicas field ${JSON.stringify(path)} does not exist`)
  }
}

function metadataOf({ metadata }: ApiObject): ObjectMeta {
  const shown: Record<string, string> = {}
  for (const field of shownMetadata) {
    const value = metadata[field]
    if (value !== undefined) shown[field] = value
  }
  return shown
}
