import { foregroundFinalizer, orphanFinalizer } from '../kinds/index.ts'
import type { DeleteRequestOptions } from '../request/index.ts'

/**
 * The finalizers of an object that is about to be deleted, with those of the garbage collector. The deletion options
 * decide first, then its own finalizers, then the resource's default. The same array when nothing changes.
 */
export function deletionFinalizers(
  finalizers: readonly string[],
  options: DeleteRequestOptions,
  resource: { readonly garbageCollected: boolean; readonly orphanByDefault: boolean },
): readonly string[] {
  const wanted = resource.garbageCollected ? propagation(finalizers, options, resource.orphanByDefault) : 'Background'
  const others = finalizers.filter((finalizer) => finalizer !== orphanFinalizer && finalizer !== foregroundFinalizer)
  if (wanted === 'Orphan') others.push(orphanFinalizer)
  if (wanted === 'Foreground') others.push(foregroundFinalizer)
  const same = others.length === finalizers.length && others.every((finalizer) => finalizers.includes(finalizer))
  return same ? finalizers : others
}

function propagation(
  finalizers: readonly string[],
  options: DeleteRequestOptions,
  orphanByDefault: boolean,
): 'Orphan' | 'Foreground' | 'Background' {
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background'
  if (options.propagationPolicy !== undefined) return options.propagationPolicy
  for (const finalizer of finalizers) {
    if (finalizer === orphanFinalizer) return 'Orphan'
    if (finalizer === foregroundFinalizer) return 'Foreground'
  }
  return orphanByDefault ? 'Orphan' : 'Background'
}
