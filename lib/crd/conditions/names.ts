import { deepEqual } from '../../object/index.ts'
import type { Names } from '../definition/definition.ts'

/** The decision about a definition's names: the accepted ones, and the condition NamesAccepted. */
interface NamesDecision {
  readonly accepted: Names
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

/**
 * Decides which of its requested names a definition gets. Accepted names of the group's other definitions are taken; a
 * name that the definition already has conflicts with nothing. The condition reports the last of several conflicts.
 */
export function decideNames(requested: Names, accepted: Names, others: readonly Names[]): NamesDecision {
  const resources = new Set(
    others.flatMap(({ plural, singular = '', shortNames = [] }) => [plural, singular, ...shortNames]),
  )
  const kinds = new Set(others.flatMap(({ kind, listKind = '' }) => [kind, listKind]))
  let result: Names = { ...accepted }
  let conflict: { reason: string; message: string } | undefined
  const settle = (field: 'plural' | 'singular' | 'kind' | 'listKind', taken: ReadonlySet<string>, reason: string) => {
    const [wanted = '', own = ''] = [requested[field], accepted[field]]
    if (wanted !== own && taken.has(wanted)) conflict = { reason, message: inUse(wanted) }
    else if (wanted !== '') result = { ...result, [field]: wanted }
  }
  settle('plural', resources, 'PluralConflict')
  settle('singular', resources, 'SingularConflict')
  if (!deepEqual(requested.shortNames ?? [], accepted.shortNames ?? [])) {
    const own = accepted.shortNames ?? []
    const taken = (requested.shortNames ?? []).filter((name) => !own.includes(name) && resources.has(name)).map(inUse)
    if (taken.length > 0)
      conflict = {
        reason: 'ShortNamesConflict',
        message: taken.length === 1 ? (taken[0] ?? '') : `[${taken.join(', ')}]`,
      }
    else result = withList(result, 'shortNames', requested.shortNames)
  }
  settle('kind', kinds, 'KindConflict')
  settle('listKind', kinds, 'ListKindConflict')
  result = withList(result, 'categories', requested.categories)
  return conflict
    ? { accepted: result, status: 'False', ...conflict }
    : { accepted: result, status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
}

function inUse(name: string): string {
  return `${JSON.stringify(name)} is already in use`
}

function withList(names: Names, field: 'shortNames' | 'categories', values: string[] | undefined): Names {
  const { [field]: _, ...rest } = names
  return values?.length ? { ...rest, [field]: values } : (rest as Names)
}
