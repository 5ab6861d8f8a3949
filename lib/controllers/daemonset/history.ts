import type { ControllerRevision } from '../../../api/gen/apps/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { controllerReference, isNotFound } from '../../controller/index.ts'
import type { Release } from '../../features/index.ts'
import {
  chooseRevision,
  createRevision,
  revisionData,
  type StoredRevision,
  surplusRevisions,
} from '../shared/revisions.ts'
import { templateHash } from '../shared/templatehash.ts'
import type { SomePod, SomeSet } from './nodes.ts'
import type { Seen } from './observe.ts'
import { hashLabel } from './pod.ts'

export interface RevisionHistory {
  /** Value of the revision label of the set's present template. */
  readonly hash: string
  readonly collisions: number | undefined
}

/** Ensures that the template has exactly one revision, and that its number is the highest. */
export async function ensureRevision(
  { set, claim, revisions: { owned } }: Seen,
  client: Client,
  release: Release,
): Promise<RevisionHistory> {
  const data = revisionData(set.spec.template, release)
  const { found, number, duplicates } = chooseRevision(owned, data)
  const all = client.resource(resources.apps.v1.controllerrevisions)
  const { collisionCount } = set.status
  if (!found) {
    const make = (count: number): StoredRevision => newRevision(set, data, number, count)
    const made = await createRevision(all, make, collisionCount ?? 0)
    return { hash: hashOf(made.revision), collisions: made.collisions || collisionCount }
  }
  const hash = hashOf(found)
  if (duplicates.length > 0) await merge(duplicates, hash, claim.owned, client)
  if (found.revision !== number) await all.update({ ...found, revision: number })
  return { hash, collisions: collisionCount }
}

/** Merges duplicate revisions. */
async function merge(
  duplicates: readonly StoredRevision[],
  hash: string,
  pods: readonly SomePod[],
  client: Client,
): Promise<void> {
  for (const duplicate of duplicates) {
    const label = hashOf(duplicate)
    for (const { metadata } of pods)
      if (metadata.labels?.[hashLabel] === label)
        await client
          .resource(resources.core.v1.pods)
          .patch(metadata, 'merge', { metadata: { labels: { [hashLabel]: hash } } })
    await remove(duplicate, client)
  }
}

/** Deletes unused old revisions beyond the history limit. */
export async function cleanHistory(
  { set, claim, revisions: { owned } }: Seen,
  hash: string,
  client: Client,
): Promise<void> {
  const live = new Set([hash, ...claim.owned.map(({ metadata }) => metadata.labels?.[hashLabel] ?? '')])
  const limit = set.spec.revisionHistoryLimit ?? 10
  for (const each of surplusRevisions(owned, limit, (revision) => live.has(hashOf(revision))))
    await remove(each, client)
}

async function remove({ metadata }: StoredRevision, client: Client): Promise<void> {
  try {
    await client.resource(resources.apps.v1.controllerrevisions).delete(metadata, { uid: metadata.uid })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

function hashOf({ metadata }: StoredRevision): string {
  return metadata.labels?.[hashLabel] ?? metadata.name ?? ''
}

function newRevision(
  set: SomeSet,
  data: NonNullable<ControllerRevision['data']>,
  revision: number,
  collisions: number,
): StoredRevision {
  const hash = templateHash(set.spec.template, collisions)
  const { name = '', namespace, annotations } = set.metadata
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels: { ...set.spec.template.metadata.labels, [hashLabel]: hash },
      annotations,
      ownerReferences: [controllerReference(set)],
    },
    data,
    revision,
  }
}
