import type { ApiObject } from '../../../object/index.ts'
import type { Strategy } from '../../definition.ts'
import { labelWithName } from './defaults.ts'
import { validateFinalizeUpdate, validateNamespace, validateStatusUpdate } from './validate.ts'

interface NamespaceSpec {
  finalizers?: string[]
}
export interface NamespaceStatus {
  phase?: string
}

export function namespaceFinalizers(object: ApiObject): readonly string[] {
  return (object.spec as NamespaceSpec | undefined)?.finalizers ?? []
}

/** While it is in spec.finalizers, the namespace still has content. */
const contentFinalizer = 'kubernetes'

const marksBeforeDelete = { isHeld: (object: ApiObject) => namespaceFinalizers(object).length > 0 }

export const namespaceStrategy: Strategy = {
  prepareForCreate(object) {
    object.status = { phase: 'Active' }
    const finalizers = namespaceFinalizers(object)
    if (!finalizers.includes(contentFinalizer))
      object.spec = { ...(object.spec as NamespaceSpec | undefined), finalizers: [...finalizers, contentFinalizer] }
  },
  prepareForUpdate(object, old) {
    take(object, old, 'status')
    const finalizers = namespaceFinalizers(old)
    const { finalizers: _, ...spec } = (object.spec ?? {}) as NamespaceSpec
    object.spec = finalizers.length > 0 ? { ...spec, finalizers } : spec
  },
  validateCreate: validateNamespace,
  // The name may have been generated after the defaults were set.
  canonicalize: labelWithName,
  prepareForDelete(object) {
    object.status = { ...(object.status as NamespaceStatus | undefined), phase: 'Terminating' }
  },
  marksBeforeDelete,
}

export const namespaceStatusStrategy: Strategy = {
  prepareForUpdate: (object, old) => take(object, old, 'spec'),
  validateUpdate: validateStatusUpdate,
  canonicalize: labelWithName,
  marksBeforeDelete,
}

/** `finalize`: the only endpoint that changes spec.finalizers. */
export const namespaceFinalizeStrategy: Strategy = {
  prepareForUpdate: (object, old) => take(object, old, 'status'),
  validateUpdate: validateFinalizeUpdate,
  canonicalize: labelWithName,
  marksBeforeDelete,
}

function take(object: ApiObject, old: ApiObject, field: string): void {
  if (old[field] === undefined) delete object[field]
  else object[field] = old[field]
}
