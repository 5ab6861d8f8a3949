// apply: the pure ways to change an object: JSON Patch, JSON Merge Patch and strategic merge patch, and the engine of
// server-side apply (who owns which field, what an apply changes, what it conflicts with). Walks compiled types; knows
// no kind by name, no storage and no request.

export { createFieldManager } from './managers/fieldmanager.ts'
export { managerFromUserAgent } from './managers/name.ts'
export { createFieldOwnership, type EndpointChange, type FieldOwnership } from './managers/ownership.ts'
export { ownersOfScale, withOwnersOfScale } from './managers/scale.ts'
export { jsonTypeName } from './patch/failure.ts'
export { formatGo } from './patch/goformat.ts'
export {
  applyJsonPatch,
  JsonPatchTestFailed,
  jsonPatchCopiedMax,
  jsonPatchMovedMax,
  jsonPatchOperationsMax,
} from './patch/jsonpatch.ts'
export { applyMergePatch } from './patch/mergepatch.ts'
export { applyStrategicMergePatch } from './patch/strategic.ts'
export { createLayConfiguration, type LayConfiguration } from './typed/layover.ts'
export { TypedError } from './typed/listitem.ts'
