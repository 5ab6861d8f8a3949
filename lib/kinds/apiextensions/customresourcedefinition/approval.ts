import { type ApiObject, type FieldError, FieldPath, fieldErrors } from '../../../object/index.ts'

const annotation = 'api-approved.kubernetes.io'
const path = FieldPath.root('metadata').child('annotations').key(annotation)

/** Groups of Kubernetes' own domains are protected: a definition in them must name its approval. */
export function checkApproval(errors: FieldError[], object: ApiObject, old: ApiObject | undefined): void {
  const { group } = object['spec'] as { group: string }
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return
  const value = object.metadata.annotations?.[annotation] ?? ''
  if (old && (old.metadata.annotations?.[annotation] ?? '') === value) return
  const finding = approvalFinding(value)
  if (finding === undefined) return
  const advice = 'see https://github.com/kubernetes/enhancements/pull/1111'
  if (finding === '') {
    const why = `protected groups must have approval annotation ${JSON.stringify(annotation)}, ${advice}`
    errors.push(fieldErrors.required(path, why))
  } else errors.push(fieldErrors.invalid(path, value, finding))
}

/**
 * Why the approval is invalid; '' when there is none, undefined when it is valid: a URL, or a note that there is no
 * approval.
 */
function approvalFinding(value: string): string | undefined {
  if (value === '') return ''
  if (value.startsWith('unapproved')) return undefined
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/\s]+/.test(value)) return undefined
  return `protected groups must have approval annotation ${JSON.stringify(annotation)} with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111`
}
