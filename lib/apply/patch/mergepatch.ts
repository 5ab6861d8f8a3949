import { isRecord } from '../../base/index.ts'
import { copyObject, type JsonObject, setField, statusErrors } from '../../object/index.ts'
import { checkDepth, noObject, undecodable } from './failure.ts'

/**
 * JSON Merge Patch (RFC 7386): null removes, objects merge, other values replace. Changes the document to the result;
 * the patch is not changed, and the result shares nothing with it. Throws a StatusError (400) when the patch is not an
 * object.
 */
export function applyMergePatch(document: JsonObject, patch: unknown): JsonObject {
  if (patch === null) throw statusErrors.badRequest('Invalid JSON Patch')
  if (!isRecord(patch)) throw undecodable(noObject(patch))
  checkDepth(patch)
  merge(document, patch)
  return document
}

function merge(target: Record<string, unknown>, patch: Record<string, unknown>): void {
  for (const key of Object.keys(patch)) {
    const change = patch[key]
    if (change === null) delete target[key]
    else if (isRecord(change)) {
      const existing = Object.hasOwn(target, key) ? target[key] : undefined
      const child = isRecord(existing) ? existing : {}
      merge(child, change)
      setField(target, key, child)
    } else setField(target, key, copyObject(change))
  }
}
