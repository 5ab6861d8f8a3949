import type { ControllerRevision } from '../../../api/gen/apps/v1.ts'
import type { PodTemplateSpec } from '../../../api/gen/core/v1.ts'
import type { ResourceClient } from '../../client/index.ts'
import { isAlreadyExists } from '../../controller/index.ts'
import { compareReleases, type Release } from '../../features/index.ts'
import { type Frozen, type JsonObject, type JsonValue, semanticEqual } from '../../object/index.ts'
import { byCreation } from './creationtime.ts'

export type StoredRevision = Frozen<ControllerRevision>

/** Stock controllers of earlier releases write a null creationTimestamp. */
const withoutTimeSince: Release = { major: 1, minor: 34 }

/**
 * The data of a StatefulSet's or DaemonSet's revision: a patch that restores the template, with sorted keys. The stock
 * controllers compare it byte by byte, and replace every pod where it differs: it is the text of those of `release`.
 */
export function revisionData(template: Frozen<PodTemplateSpec>, release: Release): JsonObject {
  const hasTime = compareReleases(release, withoutTimeSince) < 0
  const metadata = { ...template.metadata, ...(hasTime && { creationTimestamp: null }) }
  return sorted({ spec: { template: { ...template, metadata, $patch: 'replace' } } }) as JsonObject
}

/** The template that a revision restores. */
export function templateOf({ data }: StoredRevision): Frozen<PodTemplateSpec> | undefined {
  const spec = (data as JsonObject | null | undefined)?.['spec'] as JsonObject | undefined
  const template = spec?.['template'] as JsonObject | undefined
  if (template === undefined) return undefined
  const { $patch: _, ...rest } = template
  // revisionData wrote it.
  return { metadata: {}, spec: {}, ...rest } as Frozen<PodTemplateSpec>
}

/** Revisions of all releases count, so that no pod is replaced after an upgrade or by another controller. */
function isSameData(left: unknown, right: unknown): boolean {
  return semanticEqual(withoutCreation(left), withoutCreation(right))
}

function byRevision(left: StoredRevision, right: StoredRevision): number {
  return numberOf(left) - numberOf(right) || byCreation(left, right)
}

/** A number beyond 2^53 is a bigint, whatever its type: it is replaced by the last number that can be incremented. */
function numberOf({ revision }: StoredRevision): number {
  return Math.min(Number(revision), Number.MAX_SAFE_INTEGER - 1)
}

/** The revision to use for a template. */
interface RevisionChoice {
  /** The newest revision with the template. */
  readonly found: StoredRevision | undefined
  /** The number of a new revision, or the new number of `found` where others are newer. */
  readonly number: number
  /** Other revisions with the same data, oldest first. */
  readonly duplicates: readonly StoredRevision[]
}

export function chooseRevision(revisions: readonly StoredRevision[], data: JsonValue): RevisionChoice {
  const inOrder = [...revisions].sort(byRevision)
  const same = inOrder.filter((revision) => isSameData(revision.data, data))
  const others = inOrder.filter((revision) => !same.includes(revision))
  const found = same.at(-1)
  const last = others.at(-1)
  const newest = last ? numberOf(last) : 0
  const number = found && found.revision > newest ? found.revision : newest + 1
  return { found, number, duplicates: same.slice(0, -1) }
}

/** Maximum number of consecutive name collisions. */
const collisionsMax = 10

/** Creates the revision, or finds it. `make` names it by the number of collisions so far. */
export async function createRevision(
  revisions: ResourceClient<ControllerRevision>,
  make: (collisions: number) => StoredRevision,
  collisions: number,
): Promise<{ readonly revision: StoredRevision; readonly collisions: number }> {
  for (let count = collisions; ; count++) {
    const wanted = make(count)
    try {
      return { revision: await revisions.create(wanted), collisions: count }
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
      const live = await revisions.get(wanted.metadata)
      if (isSameData(live.data, wanted.data)) return { revision: live, collisions: count }
      if (count - collisions >= collisionsMax) throw error
    }
  }
}

/** Unused revisions beyond the limit, lowest number first. */
export function surplusRevisions(
  revisions: readonly StoredRevision[],
  limit: number,
  isLive: (revision: StoredRevision) => boolean,
): readonly StoredRevision[] {
  const spare = [...revisions].sort(byRevision).filter((revision) => !isLive(revision))
  return spare.slice(0, Math.max(0, spare.length - limit))
}

function withoutCreation(data: unknown): unknown {
  const spec = (data as JsonObject | null | undefined)?.['spec'] as JsonObject | undefined
  const template = spec?.['template'] as JsonObject | undefined
  const metadata = template?.['metadata'] as JsonObject | undefined
  if (!metadata || metadata['creationTimestamp'] !== null) return data
  const { creationTimestamp: _, ...kept } = metadata
  return { ...(data as JsonObject), spec: { ...spec, template: { ...template, metadata: kept } } }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  entries.sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
}
