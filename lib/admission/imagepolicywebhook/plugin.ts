import { hash } from 'node:crypto'
import type * as core from '../../../api/gen/core/v1.ts'
import { type Clock, createTtlCache, isRecord, type Random, retry } from '../../base/index.ts'
import { type EndpointClient, RequestError, webhookBackoff } from '../../client/index.ts'
import { parseJsonText } from '../../object/index.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'

/** How answers about images are cached, and the decision without an answer. */
export interface ImagePolicyOptions {
  /** How long answers are cached; 0: not at all. */
  readonly allowTtlMs: number
  readonly denyTtlMs: number
  /** Pause before the first retry. */
  readonly retryBackoffMs: number
  /** Admits pods when the server can't be reached. */
  readonly defaultAllow: boolean
}

interface ImagePolicyDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly client: Pick<EndpointClient, 'post'>
}

interface Verdict {
  readonly allowed: boolean
  readonly reason: string
  readonly auditAnnotations: Readonly<Record<string, string>>
}

const name = 'ImagePolicyWebhook'
const prefix = 'imagepolicywebhook.image-policy.k8s.io/'
const failedOpen = 'alpha.image-policy.k8s.io/failed-open'
const apiVersion = 'imagepolicy.k8s.io/v1alpha1'
const answersMax = 1024

/** Asks another server, by an ImageReview, whether a pod's images are allowed. */
export function createImagePolicyWebhook(
  { clock, random, client }: ImagePolicyDependencies,
  options: ImagePolicyOptions,
): AdmissionPlugin {
  const known = createTtlCache<Verdict>(clock, answersMax)

  async function ask(body: string, signal: AbortSignal): Promise<Verdict> {
    // Reviews may be as long as pods: their hash is the key.
    const key = hash('sha256', body)
    const remembered = known.get(key)
    if (remembered) return remembered
    const backoff = { ...webhookBackoff, firstMs: options.retryBackoffMs, isTransient, signal }
    const verdict = await retry({ clock, random }, backoff, () => post(client, body, signal))
    known.set(key, verdict, verdict.allowed ? options.allowTtlMs : options.denyTtlMs)
    return verdict
  }

  return {
    name,
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    async validate(attributes) {
      const body = reviewOf(attributes)
      if (body === undefined) return
      let verdict: Verdict
      try {
        verdict = await ask(body, attributes.signal)
      } catch (cause) {
        if (attributes.signal.aborted) throw cause
        return passOrRefuse(attributes, options.defaultAllow, cause)
      }
      for (const [key, value] of Object.entries(verdict.auditAnnotations)) attributes.annotate(`${prefix}${key}`, value)
      if (verdict.allowed) return
      throw refusal(
        attributes,
        verdict.reason === ''
          ? 'one or more images rejected by webhook backend'
          : `image policy webhook backend denied one or more images: ${verdict.reason}`,
      )
    },
  }
}

/** Decides when the server could not be reached. */
function passOrRefuse(attributes: AdmissionAttributes, defaultAllow: boolean, cause: unknown): void {
  const { object } = attributes
  if (!defaultAllow || !object) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw refusal(attributes, why)
  }
  object.metadata.annotations = { ...object.metadata.annotations, [failedOpen]: 'true' }
  attributes.annotate(`${prefix}failed-open`, 'true')
}

/** The review as JSON; undefined: the write adds no images to a pod. */
function reviewOf({
  resource,
  subresource,
  namespace,
  object,
  operation,
  oldObject,
}: AdmissionAttributes): string | undefined {
  if (resource.group !== '' || resource.resource !== 'pods' || !object) return undefined
  const pod = object as core.Pod
  const images = imagesOf(pod, subresource)
  if (images === undefined) return undefined
  const isSame =
    operation === 'UPDATE' && oldObject && String(images) === String(imagesOf(oldObject as core.Pod, subresource))
  if (isSame === true) return undefined
  const annotations = Object.fromEntries(
    Object.entries(pod.metadata.annotations ?? {}).filter(([key]) => key.includes('.image-policy.k8s.io/')),
  )
  const spec = { containers: images.map((image) => ({ image })), annotations, namespace }
  return JSON.stringify({ apiVersion, kind: 'ImageReview', metadata: {}, spec })
}

function imagesOf({ spec }: core.Pod, subresource: string): string[] | undefined {
  if (subresource === 'ephemeralcontainers') return (spec.ephemeralContainers ?? []).map(({ image = '' }) => image)
  if (subresource !== '') return undefined
  return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ image = '' }) => image)
}

function isTransient(error: unknown): boolean {
  return error instanceof RequestError || error instanceof OverloadError
}

/** The server asks for a later retry. */
class OverloadError extends Error {
  override readonly name = 'OverloadError'
}

async function post(client: Pick<EndpointClient, 'post'>, body: string, signal: AbortSignal): Promise<Verdict> {
  const { status, body: answer } = await client.post(body, signal)
  const about = `the image policy webhook answered ${status}`
  if (status === 429 || status >= 500) throw new OverloadError(about)
  if (status < 200 || status > 299) throw new Error(about)
  const review = readJson(answer)
  const found = isRecord(review) && review['kind'] === 'ImageReview' ? review['status'] : undefined
  if (!isRecord(found)) throw new Error('the image policy webhook answered no ImageReview')
  const { allowed, reason, auditAnnotations } = found
  return {
    allowed: allowed === true,
    reason: typeof reason === 'string' ? reason : '',
    auditAnnotations: textsOf(auditAnnotations),
  }
}

function textsOf(value: unknown): Record<string, string> {
  const entries = isRecord(value) ? Object.entries(value) : []
  return Object.fromEntries(entries.flatMap(([key, text]) => (typeof text === 'string' ? [[key, text]] : [])))
}

function readJson(bytes: Buffer): unknown {
  try {
    return parseJsonText(bytes.toString())
  } catch {
    return undefined
  }
}
