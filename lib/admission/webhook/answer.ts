import { isRecord } from '../../base/index.ts'
import { parseJson } from '../../codec/index.ts'
import { quote, type Status, StatusError, type StatusReason } from '../../object/index.ts'

/** A webhook's answer to an AdmissionReview. */
export interface HookAnswer {
  readonly allowed: boolean
  readonly status: Partial<Status> | undefined
  /** JSON text of operations; undefined: the object stays as it is. */
  readonly patch: string | undefined
  readonly auditAnnotations: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
}

/** The webhook could not be asked, or its answer is none: the failure policy decides. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
}

interface Asked {
  readonly uid: string
  readonly version: 'v1' | 'v1beta1'
  readonly isMutating: boolean
}

/** Throws CallFailure for a body that is no answer to the question. */
export function readAnswer(body: string, { uid, version, isMutating }: Asked): HookAnswer {
  const review = parse(body)
  const invalid = (why: string): never => {
    throw new CallFailure(`received invalid webhook response: ${why}`)
  }
  const { response } = review
  if (version === 'v1') {
    // An answer that leaves them out is taken for the review that was asked for.
    const apiVersion = review['apiVersion'] || 'admission.k8s.io/v1'
    const kind = review['kind'] || 'AdmissionReview'
    if (!isRecord(response)) return invalid('webhook response was absent')
    if (response['uid'] !== uid)
      return invalid(`expected response.uid=${quote(uid)}, got ${quote(text(response['uid']))}`)
    if (apiVersion !== 'admission.k8s.io/v1' || kind !== 'AdmissionReview')
      return invalid(
        `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${text(apiVersion)}, Kind=${text(kind)}`,
      )
  } else if (!isRecord(response)) return invalid('webhook response was absent')
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

/** As the stock server's codec reads a body: an empty text is an object without fields. */
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
    // A text that is no JSON is one word of YAML, unless it begins as an object or a list.
    if (!/^\s*[{[]/.test(body)) return notObject('string')
    return unread(cause instanceof Error ? cause.message : String(cause), cause)
  }
  if (parsed === null) return {}
  if (isRecord(parsed)) return parsed
  const kind = Array.isArray(parsed) ? 'array' : typeof parsed === 'boolean' ? 'bool' : typeof parsed
  return notObject(kind)
}

const versionAndKind = String.raw`APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\""`

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The error that the client gets for a refusal: the webhook's own status, with the webhook's name. */
export function denial(name: string, status: Partial<Status> | undefined): StatusError {
  const { message, reason, code, details } = status ?? {}
  const why = text(message) || text(reason)
  const told = `admission webhook ${quote(name)} denied the request${why === '' ? ' without explanation' : `: ${why}`}`
  const isCode = typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 999
  return new StatusError(isCode ? code : 400, text(reason) as StatusReason, told, isRecord(details) ? { details } : {})
}
