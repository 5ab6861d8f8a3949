import { isRecord } from '../../base/index.ts'
import { copyObject, type JsonObject, setField, statusErrors } from '../../object/index.ts'
import { checkDepth, noObject, undecodable } from './failure.ts'

/**
 * JSON Merge Patch (RFC 7386): null removes, objects merge, other values replace. Changes neither the document nor the
 * patch; the result shares the document's unchanged parts, and nothing with the patch. Throws a StatusError (400) when
 * the patch is not an object.
 */
export function applyMergePatch(document: JsonObject, patch: unknown): JsonObject {
  if (patch === null) throw statusErrors.badRequest('Invalid JSON Patch')
  if (!isRecord(patch)) throw undecodable(noObject(patch))
  checkDepth(patch)
  return merge(document, patch) as JsonObject
}

function merge(target: Record<string, unknown>, patch: Record<string, unknown>): Record<string, unknown> {
  const result = { ...target }
  for (const key of Object.keys(patch)) {
    const change = patch[key]
    if (change === null) delete result[key]
    else if (isRecord(change)) {
      const existing = Object.hasOwn(result, key) ? result[key] : undefined
      setField(result, key, merge(isRecord(existing) ? existing : {}, change))
    } else setField(result, key, copyObject(change))
  }
  return result
}
