import {
  type ApiObject,
  type LabelSelectorObject,
  labelSelectorFromObject,
  selectorFromLabels,
} from '../../object/index.ts'
import type { ScaleAccess } from '../definition.ts'

interface Scaled {
  replicas?: number
}

/**
 * Scale of kinds with their number at spec.replicas and status.replicas. `selector` returns the object's selector as
 * text.
 */
export function replicasScale(selector: (object: ApiObject) => string): ScaleAccess {
  return {
    replicas: (object) => (object['spec'] as Scaled | undefined)?.replicas ?? 0,
    actualReplicas: (object) => (object['status'] as Scaled | undefined)?.replicas ?? 0,
    selector,
    withReplicas: (object, replicas) => ({ ...object, spec: { ...(object['spec'] as Scaled | undefined), replicas } }),
  }
}

/** spec.selector as text; '' for an invalid one. */
export function selectorText(object: ApiObject): string {
  const { selector } = (object['spec'] ?? {}) as { selector?: LabelSelectorObject }
  try {
    return labelSelectorFromObject(selector).toString()
  } catch {
    return ''
  }
}

/** spec.selector as a map of labels. */
export function labelsText(object: ApiObject): string {
  const { selector } = (object['spec'] ?? {}) as { selector?: Record<string, string> }
  return selectorFromLabels(selector).toString()
}
