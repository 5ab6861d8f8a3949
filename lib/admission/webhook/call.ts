import type { Random, SpanAttributes, Tracer } from '../../base/index.ts'
import { type EndpointAnswer, refusalText, RequestError } from '../../client/index.ts'
import { isRecord } from '../../base/index.ts'
import { formatGroupResource, quote, statusErrors, parseJsonText } from '../../object/index.ts'
import type { AdmissionAttributes } from '../plugin.ts'
import type { Presented } from '../presented.ts'
import { admissionRequest } from '../review.ts'
import type { ServedForm } from '../versions.ts'
import { CallFailure, type HookAnswer, readAnswer } from './answer.ts'
import type { HookClients } from './clients.ts'
import type { Hook } from './hook.ts'

export interface CallDependencies {
  readonly random: Random
  readonly clients: HookClients
  readonly tracer?: Tracer | undefined
}

/** The text of a JSON body that holds these objects. */
function reviewBody(hook: Hook, presented: Presented, form: ServedForm, uid: string): string {
  const { options, ...request } = admissionRequest(presented.attributes, form, uid)
  const head = JSON.stringify(request).slice(0, -1)
  const objects = `"object":${presented.text(form)},"oldObject":${presented.oldText(form)}`
  const kind = `"kind":"AdmissionReview","apiVersion":"admission.k8s.io/${hook.reviewVersion ?? 'v1'}"`
  return `{${kind},"request":${head},${objects},"options":${JSON.stringify(options)}}}`
}

/** Asks a webhook. Throws CallFailure where it has no answer, and StatusError where it must not be asked. */
export async function callHook(
  { random, clients, tracer }: CallDependencies,
  hook: Hook,
  presented: Presented,
  form: ServedForm,
  isMutating: boolean,
): Promise<HookAnswer> {
  const { attributes } = presented
  if (attributes.dryRun && hook.hasSideEffects)
    throw statusErrors.badRequest(`admission webhook ${quote(hook.name)} does not support dry run`)
  if (!hook.reviewVersion) throw new CallFailure('webhook does not accept known AdmissionReview versions (v1, v1beta1)')
  const uid = random.uuid()
  const body = reviewBody(hook, presented, form, uid)
  const call = (): Promise<string> => post(clients, hook, body, attributes)
  const answer = await (tracer
    ? tracer.within(
        `Call ${isMutating ? 'mutating' : 'validating'} webhook`,
        spanAttributes(hook, attributes, uid),
        call,
      )
    : call())
  return readAnswer(answer, { uid, version: hook.reviewVersion, isMutating })
}

function spanAttributes(hook: Hook, attributes: AdmissionAttributes, uid: string): SpanAttributes {
  const { resource, subresource, operation } = attributes
  return {
    configuration: hook.configuration,
    webhook: hook.name,
    resource: formatGroupResource(resource),
    subresource,
    operation,
    UID: uid,
  }
}

async function post(clients: HookClients, hook: Hook, body: string, { signal }: AdmissionAttributes): Promise<string> {
  let url = ''
  try {
    const client = clients.of(hook.target, hook.timeoutSeconds)
    url = client.url
    const answer = await client.post(body, signal)
    if (answer.status >= 200 && answer.status <= 299) return answer.body.toString()
    throw new CallFailure(`failed to call webhook: ${refusalOf(answer)}`)
  } catch (cause) {
    if (cause instanceof CallFailure) throw cause
    if (signal.aborted) throw statusErrors.timeout('request did not complete within requested timeout')
    const isTimeout = cause instanceof RequestError && cause.isTimeout
    const why = isTimeout ? 'context deadline exceeded' : connectionText(cause)
    throw new CallFailure(`failed to call webhook: Post ${quote(url)}: ${why}`, { cause })
  }
}

/** How the stock server's client words what went wrong on the way. */
function connectionText(error: unknown): string {
  const cause: unknown = error instanceof RequestError ? (error.cause ?? error) : error
  if (!(cause instanceof Error)) return String(cause)
  const { code, address, port, hostname } = cause as Error & Readonly<Record<string, unknown>>
  const at = `dial tcp ${String(address)}:${String(port)}`
  switch (code) {
    case 'ECONNREFUSED':
      return `${at}: connect: connection refused`
    case 'ECONNRESET':
      return 'EOF'
    case 'ENOTFOUND':
      return `dial tcp: lookup ${String(hostname)}: no such host`
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return 'tls: failed to verify certificate: x509: certificate signed by unknown authority'
    case 'CERT_HAS_EXPIRED':
      return 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid'
    default:
      return cause.message
  }
}

/** Characters of a body that are told on. */
const toldMax = 2048

function refusalOf({ status, body }: EndpointAnswer): string {
  return messageOf(body) ?? refusalText(status, body.toString('utf8', 0, toldMax))
}

/** The message of a Status body. */
function messageOf(body: Buffer): string | undefined {
  try {
    const parsed: unknown = parseJsonText(body.toString())
    if (!isRecord(parsed) || parsed['kind'] !== 'Status') return undefined
    return typeof parsed['message'] === 'string' ? parsed['message'].slice(0, toldMax) : undefined
  } catch {
    return undefined
  }
}
