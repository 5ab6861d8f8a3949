// apply: the pure ways to change an object: JSON Patch, JSON Merge Patch and strategic merge patch, and the engine of
// server-side apply (who owns which field, what an apply changes, what it conflicts with). Walks compiled types; knows
// no kind by name, no storage and no request.
export { checkDepth, jsonTypeName, patchDepthMax } from './patch/failure.ts'
export { formatGo } from './patch/goformat.ts'
export {
  applyJsonPatch,
  jsonPatchCopiedMax,
  jsonPatchCopyBytesMax,
  jsonPatchMovedMax,
  jsonPatchOperationsMax,
} from './patch/jsonpatch.ts'
export { applyMergePatch } from './patch/mergepatch.ts'
export { applyStrategicMergePatch } from './patch/strategic.ts'
export { FieldsV1Error, readFieldsV1 } from './fieldset/canonical.ts'
export { type FieldSet, noFields } from './fieldset/fieldset.ts'
export { createFieldFilter, type FieldFilter } from './fieldset/filter.ts'
export { createFieldManager, type FieldManager } from './managers/fieldmanager.ts'
export { managerFromUserAgent } from './managers/name.ts'
export {
  createFieldOwnership,
  type EndpointChange,
  type FieldOwnership,
  type KindVersions,
} from './managers/ownership.ts'
export { ownersOfScale, replicasPath, withOwnersOfScale } from './managers/scale.ts'
export type { ApplyRequest, ApplyResult, ChangeContext, UpdateRequest } from './managers/request.ts'
export type { Versions } from './managers/versions.ts'
