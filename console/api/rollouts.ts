import { collectionPath, findKind, type Kind, objectPath, records, text } from './kinds.ts'
import { type ApiObject, fieldOf, metadataOf } from './liveobject.ts'
import { isRecord, readJson, request } from './session.ts'

/** A template that a Deployment rolled out. */
export interface Rollout {
  readonly revision: number
  readonly images: readonly string[]
  readonly createdAtMs: number
  readonly template: Record<string, unknown>
}

export const revisionKey = 'deployment.kubernetes.io/revision'
const hashLabel = 'pod-template-hash'

/** The rollouts whose replica sets still exist, the newest first. */
export async function readRollouts(deployment: ApiObject): Promise<Rollout[]> {
  const { uid, namespace } = metadataOf(deployment)
  const kind = findKind('apps', 'replicasets')
  if (!kind) return []
  const sets = records((await readJson(collectionPath(kind, text(namespace))))['items'])
  const owned = sets.filter((set) => records(metadataOf(set)['ownerReferences']).some((owner) => owner['uid'] === uid))
  return owned.map(toRollout).sort((a, b) => b.revision - a.revision)
}

function toRollout(set: ApiObject): Rollout {
  const template = fieldOf(set, 'spec', 'template')
  return {
    revision: Number(fieldOf(metadataOf(set)['annotations'], revisionKey) ?? 0),
    images: records(fieldOf(template, 'spec', 'containers')).map((container) => text(container['image'])),
    createdAtMs: Date.parse(text(metadataOf(set)['creationTimestamp'])),
    template: isRecord(template) ? template : {},
  }
}

/** Makes the template of that rollout the Deployment's again, as `kubectl rollout undo` does. Throws ApiError. */
export async function rollBack(kind: Kind, deployment: ApiObject, { template }: Rollout): Promise<void> {
  const { namespace, name, uid } = metadataOf(deployment)
  const metadata = isRecord(template['metadata']) ? template['metadata'] : {}
  const { [hashLabel]: _, ...labels } = isRecord(metadata['labels']) ? metadata['labels'] : {}
  const value = { ...template, metadata: { ...metadata, labels } }
  const patch = [
    // Not the resourceVersion: the status changes all the while.
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'replace', path: '/spec/template', value },
  ]
  const path = `${objectPath(kind, text(namespace), text(name))}?fieldManager=pilothouse-console`
  await request(path, { method: 'PATCH', contentType: 'application/json-patch+json', body: JSON.stringify(patch) })
}
