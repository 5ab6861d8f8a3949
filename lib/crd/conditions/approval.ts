const annotation = 'api-approved.kubernetes.io'
const advice = 'see https://github.com/kubernetes/enhancements/pull/1111'

/** KubernetesAPIApprovalPolicyConformant; undefined: the group is not a protected group of Kubernetes. */
export function approvalCondition(
  group: string,
  annotations: Readonly<Record<string, string>> | undefined,
): { status: 'True' | 'False'; reason: string; message: string } | undefined {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return undefined
  const value = annotations?.[annotation] ?? ''
  const protectedGroups = `protected groups must have approval annotation ${JSON.stringify(annotation)}`
  if (value === '') return { status: 'False', reason: 'MissingAnnotation', message: `${protectedGroups}, ${advice}` }
  if (value.startsWith('unapproved'))
    return { status: 'False', reason: 'UnapprovedAnnotation', message: `not approved: ${JSON.stringify(value)}` }
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/\s]+/.test(value))
    return { status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${value}` }
  const why = `${protectedGroups} with either a URL or a reason starting with "unapproved", ${advice}`
  return { status: 'False', reason: 'InvalidAnnotation', message: why }
}
