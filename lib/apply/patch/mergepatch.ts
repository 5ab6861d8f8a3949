import { isRecord, Pace, runSlices, type Slices } from '../../base/index.ts'
import { copyObjectInSlices, type JsonObject, setField, statusErrors } from '../../object/index.ts'
import { checkDepth, noObject, undecodable } from './failure.ts'

/**
 * JSON Merge Patch (RFC 7386): null removes, objects merge, anything else replaces. The document becomes the result; the
 * patch is not changed, and the result shares nothing with it. Throws a StatusError (400) when the patch is no object.
 */
export function applyMergePatch(document: JsonObject, patch: unknown): JsonObject {
  return runSlices(applyMergePatchInSlices(document, patch))
}

/** As applyMergePatch, with pauses. */
export function* applyMergePatchInSlices(document: JsonObject, patch: unknown): Slices<JsonObject> {
  if (patch === null) throw statusErrors.badRequest('Invalid JSON Patch')
  if (!isRecord(patch)) throw undecodable(noObject(patch))
  checkDepth(patch)
  yield
  yield* merge(document, patch, new Pace())
  return document
}

function* merge(target: Record<string, unknown>, patch: Record<string, unknown>, pace: Pace): Slices<void> {
  for (const key of Object.keys(patch)) {
    if (pace.isDue()) yield
    const change = patch[key]
    if (change === null) delete target[key]
    else if (isRecord(change)) {
      const existing = Object.hasOwn(target, key) ? target[key] : undefined
      const child = isRecord(existing) ? existing : {}
      yield* merge(child, change, pace)
      setField(target, key, child)
    } else setField(target, key, yield* copyObjectInSlices(change, pace))
  }
}
