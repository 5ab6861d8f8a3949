import type * as v1 from '../../../api/gen/resource.k8s.io/v1.ts'
import { type ApiObject, type FieldError, FieldPath, fieldErrors } from '../../object/index.ts'

/** With this label, `true`, a namespace may have claims for administration. */
const label = 'resource.kubernetes.io/admin-access'

const requests = FieldPath.root('spec').child('devices').child('requests')
const results = FieldPath.root('status').child('allocation').child('devices').child('results')

/**
 * The path at which a claim, or a template of claims, newly requests access for administration; undefined: it doesn't.
 * Such access ignores the allocations of other claims: the namespace needs the label for it.
 */
export function adminAccessOf(object: ApiObject, old: ApiObject | undefined): FieldPath | undefined {
  if (!old) {
    const asking = requestsOf(object).findIndex(({ exactly }) => exactly?.adminAccess === true)
    return asking < 0 ? undefined : requests.index(asking).child('adminAccess')
  }
  // The spec is immutable, and so is an allocation.
  if (grantedAt(old) >= 0) return undefined
  const granted = grantedAt(object)
  return granted < 0 ? undefined : results.index(granted).child('adminAccess')
}

/** The error of a claim at `path` in a namespace with these labels. */
export function adminAccessFault(
  path: FieldPath,
  labels: Readonly<Record<string, string>> | undefined,
): FieldError | undefined {
  if (labels?.[label] === 'true') return undefined
  return fieldErrors.forbidden(
    path,
    `admin access to devices requires the \`${label}: true\` label on the containing namespace`,
  )
}

function requestsOf({ kind, spec }: ApiObject): readonly v1.DeviceRequest[] {
  // Callers pass hub objects of these two kinds only.
  const claim = kind === 'ResourceClaimTemplate' ? (spec as v1.ResourceClaimTemplateSpec).spec : spec
  return (claim as v1.ResourceClaimSpec | undefined)?.devices?.requests ?? []
}

function grantedAt(object: ApiObject): number {
  const status = object['status'] as v1.ResourceClaimStatus | undefined
  return (status?.allocation?.devices?.results ?? []).findIndex(({ adminAccess }) => adminAccess === true)
}
