import { isRecord } from '../../base/index.ts'
import {
  copyObject,
  countValues,
  deepEqual,
  type JsonObject,
  type StatusError,
  setField,
  statusErrors,
} from '../../object/index.ts'
import { checkDepth, isDeeperThan, jsonTypeName, patchDepthMax, undecodable, unprocessable } from './failure.ts'

export const jsonPatchOperationsMax = 10_000
/** Maximum size of the copied values' JSON over all `copy` operations. */
const jsonPatchCopyBytesMax = 3 * 1024 * 1024
/** Maximum number of list items that insertions and removals move in total. */
export const jsonPatchMovedMax = 5_000_000
/** Maximum number of fields and items that `copy` operations add in total. */
export const jsonPatchCopiedMax = 100_000
const documentDepthMax = 2 * patchDepthMax

/**
 * JSON Patch (RFC 6902), with negative indexes counted from the end, and with the stock server's deviations:
 * `replace` sets a missing member, `copy` treats it as null, and a missing value is null, too (Go leaves out empty
 * values). Neither argument is changed and the result shares nothing with them; it may hold nulls where the patch put
 * them. Throws a StatusError: 400 for an invalid patch, 413 for too many operations or moved and copied values, 422
 * when an operation can't be applied (its cause names the operation).
 */
export function applyJsonPatch(document: JsonObject, patch: unknown): JsonObject {
  const operations = decode(patch)
  const root: Record<string, unknown> = { document: copyObject(document) }
  const budget: Budget = { moved: jsonPatchMovedMax, copied: jsonPatchCopiedMax }
  try {
    let copied = 0
    for (const operation of operations) {
      checkMembers(operation)
      if (operation.op === 'copy') copied += copyAcross(root, operation, copied, budget)
      else perform(root, operation, budget)
    }
  } catch (cause) {
    // Moves can nest values deeper than the stack of copies and comparisons allows.
    if (cause instanceof RangeError) throw unprocessable('the patched document is too deep')
    throw cause
  }
  const result = root.document
  if (!isRecord(result)) throw unprocessable('the patched document is no object')
  if (isDeeperThan(result, documentDepthMax)) throw unprocessable('the patched document is too deep')
  return result as JsonObject
}

/** The remainder of the limits on all operations of a patch together. */
interface Budget {
  moved: number
  copied: number
}

function spendMoves(budget: Budget, items: number): void {
  budget.moved -= items
  if (budget.moved < 0) throw tooMuch('move', jsonPatchMovedMax)
}

function tooMuch(verb: string, max: number): StatusError {
  return statusErrors.tooLarge(`The operations of a JSON patch may ${verb} at most ${max} items`)
}

interface Operation {
  readonly op: string
  readonly path: string
  readonly from: string
  readonly value: unknown
  /** Which of `path` and `from` are missing; empty ones aren't, and name the whole document. */
  readonly missing: readonly string[]
}

/** A null patch is an empty one, as in every body. */
function decode(patch: unknown): Operation[] {
  if (patch === null) return []
  if (!Array.isArray(patch)) {
    throw undecodable(`json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type []handlers.jsonPatchOp`)
  }
  if (patch.length > jsonPatchOperationsMax) {
    throw statusErrors.tooLarge(
      `The allowed maximum operations in a JSON patch is ${jsonPatchOperationsMax}, got ${patch.length}`,
    )
  }
  checkDepth(patch)
  return patch.map(decodeOperation)
}

function decodeOperation(given: unknown): Operation {
  const written = given ?? {}
  if (!isRecord(written)) {
    throw undecodable(`json: cannot unmarshal ${jsonTypeName(written)} into Go value of type handlers.jsonPatchOp`)
  }
  const text = (name: string): string => {
    const value = Object.hasOwn(written, name) ? written[name] : ''
    if (typeof value === 'string') return value
    if (value === null) return ''
    throw undecodable(
      `json: cannot unmarshal ${jsonTypeName(value)} into Go struct field jsonPatchOp.${name} of type string`,
    )
  }
  const value = Object.hasOwn(written, 'value') ? written.value : null
  const missing = ['path', 'from'].filter((name) => !Object.hasOwn(written, name))
  return { op: text('op'), path: text('path'), from: text('from'), value, missing }
}

function checkMembers({ op, missing }: Operation): void {
  const lacking = missing.find((name) => name === 'path' || op === 'move' || op === 'copy')
  if (lacking !== undefined) throw unprocessable(`${op} operation failed to decode ${lacking}: missing value`)
}

function perform(root: Record<string, unknown>, operation: Operation, budget: Budget): void {
  const { op, path, value } = operation
  switch (op) {
    case 'add':
      return add(root, op, path, copyObject(value), budget)
    case 'remove':
      remove(root, op, path, budget)
      return
    case 'replace':
      return replace(root, path, copyObject(value))
    case 'move': {
      if (path !== operation.from && path.startsWith(`${operation.from}/`)) {
        throw unprocessable(`move operation does not apply: ${path} is below ${operation.from}`)
      }
      return add(root, op, path, remove(root, op, operation.from, budget), budget)
    }
    case 'test':
      return test(root, operation)
    default:
      throw unprocessable(`Unexpected kind: ${op}`)
  }
}

/** The number of bytes that the copy adds. */
function copyAcross(
  root: Record<string, unknown>,
  { path, from }: Operation,
  copiedSoFar: number,
  budget: Budget,
): number {
  const place = locate(root, 'copy', from)
  const value = read(place, 'copy', from)
  budget.copied -= countValues(value, budget.copied)
  if (budget.copied < 0) throw tooMuch('copy', jsonPatchCopiedMax)
  const bytes = Buffer.byteLength(stringify(value))
  if (copiedSoFar + bytes > jsonPatchCopyBytesMax) {
    throw unprocessable(
      `Unable to complete the copy, the accumulated size increase of copy is ${copiedSoFar + bytes}, exceeding the limit ${jsonPatchCopyBytesMax}`,
    )
  }
  add(root, 'copy', path, copyObject(value), budget)
  return bytes
}

function stringify(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? Number(inner) : inner)) ?? ''
}

function add(root: Record<string, unknown>, op: string, path: string, value: unknown, budget: Budget): void {
  const { container, key } = locate(root, op, path)
  if (!Array.isArray(container)) return setField(container, key, value)
  if (key === '-') container.push(value)
  // One longer than now: -1 is behind the last item.
  else {
    const index = indexIn(container.length + 1, key, op, path)
    spendMoves(budget, container.length - index)
    container.splice(index, 0, value)
  }
}

function remove(root: Record<string, unknown>, op: string, path: string, budget: Budget): unknown {
  const { container, key } = locate(root, op, path)
  if (container === root) throw unprocessable(`${op} operation does not apply: the whole document cannot go`)
  if (Array.isArray(container)) {
    const index = indexIn(container.length, key, op, path)
    spendMoves(budget, container.length - index)
    return container.splice(index, 1)[0]
  }
  if (!Object.hasOwn(container, key)) {
    throw unprocessable(`${op} operation does not apply: doc is missing key: ${path}: missing value`)
  }
  const value = container[key]
  delete container[key]
  return value
}

function replace(root: Record<string, unknown>, path: string, value: unknown): void {
  const { container, key } = locate(root, 'replace', path)
  if (Array.isArray(container)) container[indexIn(container.length, key, 'replace', path)] = value
  else {
    refuseInherited(container, key, 'replace', path)
    setField(container, key, value)
  }
}

/** The cause of the refusal when a `test` operation found another value. */
export class JsonPatchTestFailed extends Error {
  override readonly name = 'JsonPatchTestFailed'
}

function failedTest(why: string): StatusError {
  return unprocessable(why, new JsonPatchTestFailed(why))
}

function test(root: Record<string, unknown>, operation: Operation): void {
  const { container, key } = locate(root, 'test', operation.path)
  const actual = Array.isArray(container)
    ? container[indexIn(container.length, key, 'test', operation.path)]
    : member(container, key, 'test', operation.path)
  if (!deepEqual(actual, operation.value)) {
    throw failedTest(`testing value ${operation.path} failed: test failed`)
  }
}

interface Place {
  readonly container: Record<string, unknown> | unknown[]
  readonly key: string
}

/** The container of the value at a JSON Pointer; the whole document is a member of `root`. */
function locate(root: Record<string, unknown>, op: string, path: string): Place {
  if (path === '') return { container: root, key: 'document' }
  const missing = `${op} operation does not apply: doc is missing path: "${path}": missing value`
  if (!path.startsWith('/')) throw unprocessable(missing)
  const steps = path.slice(1).split('/')
  if (steps.length > documentDepthMax) throw unprocessable(`${op} operation does not apply: the path is too deep`)
  const key = unescape(steps.pop() ?? '')
  let container: unknown = root.document
  for (const step of steps) container = child(container, unescape(step))
  if (typeof container !== 'object' || container === null) throw unprocessable(missing)
  return { container: container as Place['container'], key }
}

function child(container: unknown, key: string): unknown {
  if (Array.isArray(container)) {
    const index = parseIndex(key)
    return index === undefined ? undefined : container[index < 0 ? index + container.length : index]
  }
  return isRecord(container) && Object.hasOwn(container, key) ? container[key] : undefined
}

function read({ container, key }: Place, op: string, path: string): unknown {
  if (Array.isArray(container)) return container[indexIn(container.length, key, op, path)]
  return member(container, key, op, path)
}

/** A missing member equals null. */
function member(container: Readonly<Record<string, unknown>>, key: string, op: string, path: string): unknown {
  if (Object.hasOwn(container, key)) return container[key]
  refuseInherited(container, key, op, path)
  return null
}

/**
 * Names that every JavaScript object inherits (`constructor`, `__proto__`) are missing unless the document has them as
 * plain data, which only `add` creates: a pointer through them would otherwise reach the prototype.
 */
function refuseInherited(container: object, key: string, op: string, path: string): void {
  if (key in Object.prototype && !Object.hasOwn(container, key))
    throw unprocessable(`${op} operation does not apply: doc is missing key: ${path}: missing value`)
}

function indexIn(length: number, key: string, op: string, path: string): number {
  const index = parseIndex(key)
  if (index === undefined || index >= length || index < -length) {
    throw unprocessable(`${op} operation does not apply: doc is missing index: "${path}": invalid index referenced`)
  }
  return index < 0 ? index + length : index
}

function parseIndex(key: string): number | undefined {
  return /^[+-]?\d{1,15}$/.test(key) ? Number(key) : undefined
}

function unescape(step: string): string {
  return step.includes('~') ? step.replace(/~1/g, '/').replace(/~0/g, '~') : step
}
