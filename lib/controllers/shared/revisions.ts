import type { ControllerRevision } from '../../../api/gen/apps/v1.ts'
import type { PodTemplateSpec } from '../../../api/gen/core/v1.ts'
import type { ResourceClient } from '../../client/index.ts'
import { isAlreadyExists } from '../../controller/index.ts'
import { type Frozen, type JsonObject, type JsonValue, semanticEqual } from '../../object/index.ts'
import { byCreation } from './creationtime.ts'

export type Revision = Frozen<ControllerRevision>

/**
 * The data of a StatefulSet's or DaemonSet's revision: a patch that puts the template back, keys in order. The stock
 * controllers up to release 1.33 compare it byte by byte, and replace every pod where they find another: it says that the
 * template was never created, as theirs does.
 */
export function revisionData(template: Frozen<PodTemplateSpec>): JsonObject {
  const metadata = { ...template.metadata, creationTimestamp: null }
  return sorted({ spec: { template: { ...template, metadata, $patch: 'replace' } } }) as JsonObject
}

/** The template that a revision puts back. */
export function templateOf({ data }: Revision): Frozen<PodTemplateSpec> | undefined {
  const spec = (data as JsonObject | null | undefined)?.['spec'] as JsonObject | undefined
  const template = spec?.['template'] as JsonObject | undefined
  if (template === undefined) return undefined
  const { $patch: _, ...rest } = template
  // It is what revisionData was given.
  return { metadata: {}, spec: {}, ...rest } as Frozen<PodTemplateSpec>
}

/** Later releases don't write down that a template was never created. */
function isSameData(left: unknown, right: unknown): boolean {
  return semanticEqual(withoutCreation(left), withoutCreation(right))
}

function byRevision(left: Revision, right: Revision): number {
  return numberOf(left) - numberOf(right) || byCreation(left, right)
}

/** Beyond 2^53 it is a bigint, whatever its type says: such a one is as good as the last that can be counted from. */
function numberOf({ revision }: Revision): number {
  return Math.min(Number(revision), Number.MAX_SAFE_INTEGER - 1)
}

/** How the revision for a template is come by. */
interface RevisionChoice {
  /** The newest one that holds it. */
  readonly found: Revision | undefined
  /** Its number, where it isn't the newest: it is used again; also that of a new one. */
  readonly number: number
  /** Others that hold the same, older ones first. */
  readonly duplicates: readonly Revision[]
}

export function chooseRevision(revisions: readonly Revision[], data: JsonValue): RevisionChoice {
  const inOrder = [...revisions].sort(byRevision)
  const same = inOrder.filter((revision) => isSameData(revision.data, data))
  const others = inOrder.filter((revision) => !same.includes(revision))
  const found = same.at(-1)
  const last = others.at(-1)
  const newest = last ? numberOf(last) : 0
  const number = found && found.revision > newest ? found.revision : newest + 1
  return { found, number, duplicates: same.slice(0, -1) }
}

/** Names that are taken by something else, at most so many in a row. */
const collisionsMax = 10

/** Makes the revision, or finds it made. `make` names it by the number of collisions so far. */
export async function createRevision(
  revisions: ResourceClient<ControllerRevision>,
  make: (collisions: number) => Revision,
  collisions: number,
): Promise<{ readonly revision: Revision; readonly collisions: number }> {
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

/** Revisions beyond those to keep, lowest number first, none that is in use. */
export function surplusRevisions(
  revisions: readonly Revision[],
  limit: number,
  isLive: (revision: Revision) => boolean,
): readonly Revision[] {
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
