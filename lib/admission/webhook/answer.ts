import { isRecord } from '../../base/index.ts'
import { parseJson } from '../../codec/index.ts'
import { parseGroupVersion, quote, type Status, StatusError, type StatusReason } from '../../object/index.ts'
import { jsonKind, typeProblem } from './reviewtypes.ts'

/** A webhook's answer to an AdmissionReview. */
export interface HookAnswer {
  readonly allowed: boolean
  readonly status: Partial<Status> | undefined
  /** JSON text of operations; undefined: no change. */
  readonly patch: string | undefined
  readonly auditAnnotations: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
}

/** The webhook could not be called, or its answer is invalid: the failure policy decides. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
}

interface Asked {
  readonly uid: string
  readonly version: 'v1' | 'v1beta1'
  readonly isMutating: boolean
}

/** Throws CallFailure for a body that is no answer to the request. */
export function readAnswer(body: string, { uid, version, isMutating }: Asked): HookAnswer {
  const review = parse(body)
  checkKind(review, version)
  const problem = typeProblem(review, version)
  if (problem !== undefined) throw new CallFailure(`failed to call webhook: ${problem}`)
  const invalid = (why: string): never => {
    throw new CallFailure(`received invalid webhook response: ${why}`)
  }
  const { response } = review
  if (!isRecord(response)) return invalid('webhook response was absent')
  if (version === 'v1' && response['uid'] !== uid)
    return invalid(`expected response.uid=${quote(uid)}, got ${quote(text(response['uid']))}`)
  const { allowed, status, patch: encoded, patchType, auditAnnotations, warnings } = response
  const patch = text(encoded)
  const type = text(patchType)
  if (version === 'v1') checkPatch(patch, type, isMutating, invalid)
  return {
    allowed: allowed === true,
    status: isRecord(status) ? status : undefined,
    patch: !isMutating || patch === '' ? undefined : Buffer.from(patch, 'base64').toString(),
    auditAnnotations: isRecord(auditAnnotations) ? auditAnnotations : {},
    warnings: Array.isArray(warnings) ? warnings.filter((one) => typeof one === 'string') : [],
  }
}

function checkPatch(patch: string, type: string, isMutating: boolean, invalid: (why: string) => never): void {
  if (!isMutating) {
    if (patch !== '') invalid('validating webhook may not return response.patch')
    if (type !== '') invalid('validating webhook may not return response.patchType')
    return
  }
  if (patch !== '' && type === '') invalid('webhook returned response.patch but not response.patchType')
  if (patch === '' && type !== '') invalid('webhook returned response.patchType but not response.patch')
  if (patch !== '' && type !== 'JSONPatch') invalid(`webhook returned invalid response.patchType of "${type}"`)
}

/** Parses as the stock server's codec: an empty text is an object without fields. */
function parse(body: string): Readonly<Record<string, unknown>> {
  if (body.trim() === '') return {}
  const unread = (why: string, cause?: unknown): never => {
    throw new CallFailure(`failed to call webhook: couldn't get version/kind; json parse error: ${why}`, { cause })
  }
  const notObject = (kind: string): never =>
    unread(`json: cannot unmarshal ${kind} into Go value of type struct { ${versionAndKind} }`)
  let parsed: unknown
  try {
    parsed = parseJson(Buffer.from(body))
  } catch (cause) {
    // Text that is not JSON is one YAML word, unless it begins like an object or a list.
    if (!/^\s*[{[]/.test(body)) return notObject('string')
    return unread(cause instanceof Error ? cause.message : String(cause), cause)
  }
  if (parsed === null) return {}
  if (isRecord(parsed)) return parsed
  return notObject(jsonKind(parsed))
}

/** The kinds that the stock server's webhook client knows. */
const reviewGroup = 'admission.k8s.io'
const schemeName = 'k8s.io/apiserver/pkg/util/webhook/client.go:71'

/** An answer without version or kind counts as the requested review. */
function checkKind(review: Readonly<Record<string, unknown>>, version: string): void {
  const unread = (why: string): never => {
    throw new CallFailure(`failed to call webhook: ${why}`)
  }
  for (const field of ['apiVersion', 'kind'])
    if (typeof (review[field] ?? '') !== 'string')
      unread(
        `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonKind(review[field])} into Go struct field .${field} of type string`,
      )
  const apiVersion = text(review['apiVersion']) || `${reviewGroup}/${version}`
  const kind = text(review['kind']) || 'AdmissionReview'
  const isUnversioned = apiVersion === `${reviewGroup}/`
  const asked = parseGroupVersion(isUnversioned ? `${reviewGroup}/${version}` : apiVersion)
  if (!asked) return unread(`unexpected GroupVersion string: ${apiVersion}`)
  const isReview = asked.group === reviewGroup && kind === 'AdmissionReview'
  if (isReview && asked.version === version) return
  const wanted = `(${version}.AdmissionReview): unknown conversion`
  if (isReview && /^v1(beta1)?$/.test(asked.version))
    unread(`converting (${asked.version}.AdmissionReview) to ${wanted}`)
  if (kind === 'Status' && /^(meta\.k8s\.io\/)?v1$/.test(apiVersion)) unread(`converting (v1.Status) to ${wanted}`)
  unread(`no kind ${quote(kind)} is registered for version ${quote(apiVersion)} in scheme ${quote(schemeName)}`)
}

const versionAndKind = String.raw`APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\""`

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The client's error for a refusal: the webhook's status, with the webhook's name. */
export function denial(name: string, status: Partial<Status> | undefined): StatusError {
  const { message, reason, code, details } = status ?? {}
  const why = text(message) || text(reason)
  const told = `admission webhook ${quote(name)} denied the request${why === '' ? ' without explanation' : `: ${why}`}`
  const isCode = typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 999
  return new StatusError(isCode ? code : 400, text(reason) as StatusReason, told, isRecord(details) ? { details } : {})
}
