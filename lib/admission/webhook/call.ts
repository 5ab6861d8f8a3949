import { networkErrorText, type Random, type SpanAttributes, type Tracer } from '../../base/index.ts'
import { answerProblem, RequestError } from '../../client/index.ts'
import { formatGroupResource, quote, statusErrors } from '../../object/index.ts'
import type { ConvertedObjects } from '../convertedobjects.ts'
import type { AdmissionAttributes } from '../plugin.ts'
import type { ServedForm } from '../versions.ts'
import { CallFailure, type HookAnswer, readAnswer } from './answer.ts'
import type { HookClients } from './clients.ts'
import type { AdmissionHook } from './hook.ts'
import { reviewBody } from './reviewbody.ts'

export interface HookCallDependencies {
  readonly random: Random
  readonly clients: HookClients
  readonly tracer?: Tracer | undefined
  /** The failure that a test wants of a webhook's next call; undefined: it is called. */
  readonly webhookFailure?: ((webhook: string) => Error | undefined) | undefined
}

/** Calls a webhook. Throws CallFailure without a valid answer, and StatusError when it must not be called. */
export async function callHook(
  { random, clients, tracer, webhookFailure }: HookCallDependencies,
  hook: AdmissionHook,
  converted: ConvertedObjects,
  form: ServedForm,
  isMutating: boolean,
): Promise<HookAnswer> {
  const { attributes } = converted
  if (attributes.dryRun && hook.hasSideEffects)
    throw statusErrors.badRequest(`admission webhook ${quote(hook.name)} does not support dry run`)
  if (!hook.reviewVersion) throw new CallFailure('webhook does not accept known AdmissionReview versions (v1, v1beta1)')
  const uid = random.uuid()
  const body = reviewBody(hook, converted, form, uid)
  const call = (): Promise<string> => post(clients, hook, body, attributes, webhookFailure?.(hook.name))
  const answer = await (tracer
    ? tracer.within(
        `Call ${isMutating ? 'mutating' : 'validating'} webhook`,
        spanAttributes(hook, attributes, uid),
        call,
      )
    : call())
  return readAnswer(answer, { uid, version: hook.reviewVersion, isMutating })
}

function spanAttributes(hook: AdmissionHook, attributes: AdmissionAttributes, uid: string): SpanAttributes {
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

async function post(
  clients: HookClients,
  hook: AdmissionHook,
  body: string,
  { signal }: AdmissionAttributes,
  failure: Error | undefined,
): Promise<string> {
  let url = ''
  try {
    const client = clients.of(hook.target, hook.timeoutSeconds)
    url = client.url
    if (failure) throw failure
    const answer = await client.post(body, signal)
    const problem = answerProblem(answer)
    if (problem === undefined) return answer.body.toString()
    throw new CallFailure(`failed to call webhook: ${problem}`)
  } catch (cause) {
    if (cause instanceof CallFailure) throw cause
    if (signal.aborted) throw statusErrors.timeout('request did not complete within requested timeout')
    throw new CallFailure(`failed to call webhook: ${connectionText(url, cause)}`, { cause })
  }
}

/** With the whole URL: the query holds the webhook's own parameters and the timeout. */
function connectionText(url: string, error: unknown): string {
  const { why, message } = error instanceof RequestError ? error : { why: networkErrorText(error), message: '' }
  return why === undefined ? message : `Post ${quote(url)}: ${why}`
}
