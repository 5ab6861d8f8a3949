import type { ReadConsistency } from '../../cache/index.ts'
import {
  asRevision,
  parseResourceVersion,
  quote,
  type Revision,
  StatusError,
  statusErrors,
} from '../../object/index.ts'
import type { ListRequestOptions } from '../../request/index.ts'

const latest: ReadConsistency = { kind: 'latest' }
const any: ReadConsistency = { kind: 'any' }

/**
 * The required freshness of a get. Throws 500 without a reason, like the stock server, for a version that is no number.
 */
export function consistencyOfGet(resourceVersion: string): ReadConsistency {
  if (resourceVersion === '') return latest
  const revision = parseRevision(resourceVersion, (why) => new StatusError(500, '', why))
  return revision === 0 ? any : { kind: 'notOlderThan', revision }
}

/**
 * The required freshness of a list without a continue token. A page of a list at a given version is at exactly that
 * one, unless the match says otherwise (specification, "Resource version semantics").
 */
export function consistencyOfList({
  resourceVersion,
  resourceVersionMatch,
  limit,
}: ListRequestOptions): ReadConsistency {
  if (resourceVersion === '') return latest
  const revision = parseRevision(resourceVersion, (why) => statusErrors.badRequest(`invalid resource version: ${why}`))
  if (revision === 0) return any
  if (resourceVersionMatch === 'Exact') return { kind: 'exact', revision }
  if (resourceVersionMatch === '' && limit > 0) return { kind: 'exact', revision }
  return { kind: 'notOlderThan', revision }
}

const uint64Max = 2n ** 64n - 1n

export function parseRevision(text: string, failure: (why: string) => StatusError): Revision {
  const revision = parseResourceVersion(text)
  if (revision !== undefined) return revision
  const value = /^[0-9]+$/.test(text) ? BigInt(text) : undefined
  // No store has such a revision: any other number of the future is equivalent.
  if (value !== undefined && value <= uint64Max) return asRevision(Math.min(Number(value), Number.MAX_SAFE_INTEGER))
  const fault = value !== undefined ? 'value out of range' : 'invalid syntax'
  const shown = quote(text)
  throw failure(`resourceVersion: Invalid value: ${shown}: strconv.ParseUint: parsing ${shown}: ${fault}`)
}
