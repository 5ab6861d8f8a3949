import { type FieldError, FieldPath, fieldErrors, type ObjectMeta } from '../../object/index.ts'
import { foregroundFinalizer, orphanFinalizer } from './validate.ts'

const at = FieldPath.root('metadata').child('finalizers')
const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', orphanFinalizer, foregroundFinalizer])

/**
 * Groups whose kinds accept finalizers without a domain only when they are standard; other groups, and custom
 * resources, accept any.
 */
const strictGroups: ReadonlySet<string> = new Set([
  '',
  'apps',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
])

/** Why a finalizer without a domain is not allowed; undefined: it is standard, or has one. */
export function unqualifiedFinalizer(finalizer: string): string | undefined {
  if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return undefined
  return 'name is neither a standard finalizer name nor is it fully qualified'
}

/** Checks the finalizers of an object of these groups, in addition to the checks of every kind. */
export function validateQualifiedFinalizers(
  { finalizers = [] }: ObjectMeta,
  { group, kind }: { readonly group: string; readonly kind: string },
): FieldError[] {
  if (!strictGroups.has(group) || kind === 'Event') return []
  return finalizers.flatMap((finalizer, index) => {
    const why = unqualifiedFinalizer(finalizer)
    return why === undefined ? [] : [fieldErrors.invalid(at.index(index), finalizer, why)]
  })
}
