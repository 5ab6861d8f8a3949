// registry: how objects of one resource are created, changed and deleted: strategy, validation, the conflict loop,
// finalizers and grace, on objects in their hub version. Invariant: a refused write changes nothing, and no update is
// lost or refused because a cache was behind. Must not know versions, formats, HTTP or any kind by name.
export { createComputedResource } from './computed.ts'
export type { Existing, WriteContext, Written } from './context.ts'
export { checkPreconditions, type Removed } from './delete.ts'
export type { EndAllocation, ResourceHooks } from './hooks.ts'
export { ignoreRefusal } from './ignorerefusal.ts'
export { listEntries, listObjects, listPages } from './list.ts'
export { ensureNamespace, wipeSystemMetadata } from './metadata.ts'
export { type Backing, createRegistry, type Registry } from './registry.ts'
export type { ResourceRegistry } from './resource.ts'
