import type { Clock } from '../base/index.ts'
import { cleanupFinalizer } from '../kinds/index.ts'
import { type ApiObject, copyObject, formatTime, statusErrors } from '../object/index.ts'
import { listPages, type ResourceRegistry, type WriteContext } from '../registry/index.ts'
import { parseDeleteOptions } from '../request/index.ts'
import { setCondition } from './conditions/setcondition.ts'
import { asDefinition, type Definition, definitionsResource, statusOf } from './definition/definition.ts'

/** Access to the objects of a definition that is being deleted; undefined: no objects of its own were ever stored. */
interface Instances {
  readonly registry: ResourceRegistry | undefined
  /** A built-in resource stores its keys below the same prefix. */
  readonly overlaps: boolean
}

interface CleanupDependencies {
  readonly definitions: ResourceRegistry
  readonly clock: Clock
  readonly context: WriteContext
  readonly signal: AbortSignal
}

/** Number of objects that are deleted between two checks of the signal. */
const pageMax = 500
const pollMs = 5_000
const pollsMax = 12

/**
 * Deletes the objects of a definition that is being deleted, waits until they are gone, and removes the definition's
 * finalizer. Rejects when that fails, after it has written the reason into the definition's condition: then the caller
 * tries again.
 */
export async function cleanUp(name: string, instances: Instances, dependencies: CleanupDependencies): Promise<void> {
  const { registry, overlaps } = instances
  const tell = (status: 'True' | 'False', reason: string, message: string, isDone = false): Promise<void> =>
    tellTerminating(name, { status, reason, message }, isDone, dependencies)
  if (overlaps)
    return tell('False', 'OverlappingBuiltInResource', 'instances overlap with built-in resources in storage', true)
  if (!registry) return tell('False', 'NeverEstablished', 'resource was never established', true)
  await tell('True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress')
  await step(
    () => deleteAll(registry, dependencies),
    (why) => tell('True', 'InstanceDeletionFailed', `could not issue all deletes: ${why}`),
  )
  await step(
    () => untilGone(registry, dependencies),
    (why) => tell('True', 'InstanceDeletionCheck', `could not confirm zero CustomResources remaining: ${why}`),
  )
  await tell('False', 'InstanceDeletionCompleted', 'removed all instances', true)
}

async function step(run: () => Promise<void>, failed: (why: string) => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    await failed(error instanceof Error ? error.message : String(error))
    throw error
  }
}

async function deleteAll(registry: ResourceRegistry, { context, signal }: CleanupDependencies): Promise<void> {
  const options = parseDeleteOptions(new URLSearchParams())
  for await (const objects of listPages(registry, { pageMax, signal }))
    if (objects.length > 0)
      await registry.deleteCollection(
        objects.map(({ metadata }) => registry.target(metadata.namespace ?? '', metadata.name ?? '')),
        options,
        context,
      )
}

async function untilGone(registry: ResourceRegistry, { clock, signal }: CleanupDependencies): Promise<void> {
  for (let polls = 0; ; polls++) {
    const { entries } = await registry.cache.list({ ...registry.range(''), at: { kind: 'latest' }, limit: 1, signal })
    if (entries.length === 0) return
    if (polls >= pollsMax) throw new Error('timed out waiting for the condition')
    await clock.sleep(pollMs, signal)
  }
}

/**
 * Writes the condition, and with `isDone` removes the finalizer. Ignores a definition that is gone or no longer being
 * deleted.
 */
async function tellTerminating(
  name: string,
  condition: { readonly status: string; readonly reason: string; readonly message: string },
  isDone: boolean,
  { definitions, clock, context }: CleanupDependencies,
): Promise<void> {
  const transform = (existing: { readonly object: ApiObject } | undefined): ApiObject => {
    if (!existing) throw statusErrors.notFound(definitionsResource, name)
    const object = asDefinition(copyObject(existing.object))
    return withTerminating(object, condition, isDone, formatTime(clock.now()))
  }
  await definitions.update(definitions.target('', name), { subresource: 'status', transform }, context)
}

function withTerminating(
  object: Definition,
  condition: { readonly status: string; readonly reason: string; readonly message: string },
  isDone: boolean,
  now: string,
): Definition {
  const { metadata } = object
  if (metadata.deletionTimestamp === undefined) return object
  const status = statusOf(object)
  const conditions = setCondition(status.conditions ?? [], { type: 'Terminating', ...condition }, now)
  const finalizers = (metadata.finalizers ?? []).filter((one) => one !== cleanupFinalizer)
  const { finalizers: _, ...others } = metadata
  const kept = finalizers.length > 0 ? { ...others, finalizers } : others
  return { ...object, metadata: isDone ? kept : metadata, status: { ...status, conditions } } as Definition
}
