import { isRecord } from '../../base/index.ts'
import { StatusError, statusErrors } from '../../object/index.ts'

/** Deeper patches are refused before any walk over them. */
export const patchDepthMax = 500

/** 400: the patch is not of its kind. */
export function undecodable(why: string): StatusError {
  return statusErrors.badRequest(`error decoding patch: ${why}`)
}

/** 422: the patch can't be applied to the object. Clients see no details; `why` is the cause, for logs. */
export function unprocessable(why: string, cause: Error = new Error(why)): StatusError {
  return new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {
    details: {},
    cause,
  })
}

/** 500 without a reason: the server's answer to errors of a strategic merge patch that have no code of their own. */
export function unclassified(why: string): StatusError {
  return new StatusError(500, '', why)
}

/** The name of a value's type in errors of Go's JSON decoder. */
export function jsonTypeName(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value === 'bigint' ? 'number' : typeof value
}

/** The Go type of the decoded value. */
export function goTypeName(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (isRecord(value)) return 'map[string]interface {}'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'string' : Number.isInteger(Number(value)) ? 'int64' : 'float64'
}

/** Why the patch is not an object, for the kinds of patch that are objects. */
export function noObject(patch: unknown): string {
  return `json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type map[string]interface {}`
}

/** Throws when the patch nests deeper than patchDepthMax. */
export function checkDepth(patch: unknown): void {
  if (isDeeperThan(patch, patchDepthMax)) throw undecodable('exceeded max depth')
}

/** Walks level by level, without recursion. */
export function isDeeperThan(root: unknown, depthMax: number): boolean {
  let level: unknown[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) return true
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      for (const child of Array.isArray(value) ? value : Object.values(value)) {
        if (typeof child === 'object' && child !== null) next.push(child)
      }
    }
    level = next
  }
  return false
}
