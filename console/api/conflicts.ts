import { areNested, type FieldChange, isEqual, leadsTo, pathText, valueAt, withChanges } from '../state/fieldchanges.ts'
import { ownedFields } from '../state/ownedfields.ts'
import { type Kind, objectPath, records, text } from './kinds.ts'
import { type ApiObject, metadataOf } from './liveobject.ts'
import { ApiError, isRecord, request } from './session.ts'

/** A change that another manager's value is in the way of. */
export interface Conflict {
  readonly change: FieldChange
  /** Path in the form of `.spec.replicas`. */
  readonly field: string
  /** Their value; undefined where they removed it. */
  readonly theirs: unknown
  /** Managers of the field; empty where none is recorded. */
  readonly managers: readonly string[]
}

const fieldManager = 'pilothouse-console'

/**
 * The changes that meet a value that somebody else set meanwhile, or that a manager applies, and would put back. Whether a field is in
 * conflict is the server's answer to a dry run of an apply of these changes alone.
 */
export async function findConflicts(
  kind: Kind,
  current: ApiObject,
  changes: readonly FieldChange[],
): Promise<Conflict[]> {
  const refused = await refusedFields(kind, current, changes)
  const owners = ownersOf(current)
  return changes.flatMap((change) => {
    const field = pathText(change.path)
    const theirs = valueAt(current, change.path)
    const named = refused.filter((each) => areNested(each, field))
    const managers = owners.filter(({ fields }) => fields.some((each) => leadsTo(field, each) || named.includes(each)))
    const isOvertaken = !isEqual(theirs, change.before) && !isEqual(theirs, change.after)
    // An apply removes nothing unasked: of a removal, only the owners are known.
    const isRefused = change.after === undefined || named.length > 0
    const isApplied = managers.some((owner) => owner.applies && owner.manager !== fieldManager)
    if (!isOvertaken && !(isRefused && isApplied)) return []
    return { change, field, theirs, managers: [...new Set(managers.map(({ manager }) => manager))] }
  })
}

/** The fields that the server names in conflict; none where it can't check, such as without the right to patch. */
async function refusedFields(kind: Kind, current: ApiObject, changes: readonly FieldChange[]): Promise<string[]> {
  const { apiVersion, kind: name } = current
  const metadata = metadataOf(current)
  const [namespace, objectName] = [text(metadata['namespace']), text(metadata['name'])]
  const set = changes.filter(({ after }) => after !== undefined)
  const identity = { apiVersion, kind: name, metadata: { name: objectName, ...(namespace !== '' && { namespace }) } }
  const query = new URLSearchParams({ fieldManager, dryRun: 'All', force: 'false' })
  try {
    await request(`${objectPath(kind, namespace, objectName)}?${query}`, {
      method: 'PATCH',
      contentType: 'application/apply-patch+yaml',
      body: JSON.stringify(withChanges(identity, set)),
    })
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const details = error.status?.['details']
    if (error.code !== 409 || !isRecord(details)) return []
    return records(details['causes']).map((cause) => text(cause['field']))
  }
}

interface Owner {
  readonly manager: string
  readonly applies: boolean
  readonly fields: readonly string[]
}

function ownersOf(object: ApiObject): Owner[] {
  return records(metadataOf(object)['managedFields']).map((entry) => ({
    manager: text(entry['manager']),
    applies: entry['operation'] === 'Apply',
    fields: ownedFields(entry['fieldsV1']).map((path) => `.${path}`),
  }))
}
