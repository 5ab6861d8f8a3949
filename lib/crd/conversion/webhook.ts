import { createHash } from 'node:crypto'
import type * as v1 from '../../../api/gen/apiextensions.k8s.io/v1.ts'
import type { Clock, Random } from '../../base/index.ts'
import {
  type Address,
  createEndpointClient,
  type EndpointAnswer,
  type EndpointClient,
  type ResolveService,
  serviceHost,
} from '../../client/index.ts'
import { encodeUntyped, parseJson } from '../../codec/index.ts'
import {
  type ApiObject,
  formatGroupVersion,
  formatGroupVersionKind,
  type GroupVersion,
  type JsonValue,
  jsonText,
  parseGroupVersion,
  StatusError,
} from '../../object/index.ts'
import { ConversionNeeded } from '../../scheme/index.ts'
import type { ConversionFailure, ConversionMetrics } from './metrics.ts'
import { mergeConverted, readReview, ReviewError, type ReviewVersion, reviewOf, reviewVersions } from './review.ts'

export interface ConversionDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly resolve: ResolveService
  readonly metrics: ConversionMetrics
}

/** Objects of one call, calls at once, and conversions that are remembered. */
const batchMax = 200
const callsMax = 4
const rememberedMax = 20_000
const answerBytesMax = 64 * 1024 * 1024
const portDefault = 443

/** Conversions by a webhook, remembered by what was converted: an answer serves every reader of the same state. */
export interface WebhookConversion {
  /** Throws ConversionNeeded while the webhook has not been asked. */
  convert(object: ApiObject, to: GroupVersion): ApiObject
  /** Asks for all of these at once; undefined when all are known. Rejects with StatusError 500. */
  prepare(objects: readonly ApiObject[], to: GroupVersion): Promise<void> | undefined
  close(): void
}

/** `definition`: its name. */
export function createWebhookConversion(
  definition: string,
  conversion: v1.WebhookConversion,
  dependencies: ConversionDependencies,
): WebhookConversion {
  return new Webhook(definition, conversion, dependencies)
}

class Webhook implements WebhookConversion {
  readonly #definition: string
  readonly #conversion: v1.WebhookConversion
  readonly #dependencies: ConversionDependencies
  readonly #version: ReviewVersion | undefined
  #client: EndpointClient | undefined
  /** Where its service was reached at last. */
  #address: Address | undefined
  /** Converted objects by the digest of the objects sent; the oldest first. */
  readonly #known = new Map<string, ApiObject>()
  readonly #pending = new Map<string, Promise<void>>()

  constructor(definition: string, conversion: v1.WebhookConversion, dependencies: ConversionDependencies) {
    this.#definition = definition
    this.#conversion = conversion
    this.#dependencies = dependencies
    this.#version = (conversion.conversionReviewVersions ?? [])
      .map((name) => reviewVersions.find((version) => version === name))
      .find((version) => version !== undefined)
  }

  convert(object: ApiObject, to: GroupVersion): ApiObject {
    const apiVersion = formatGroupVersion(to)
    if (object.apiVersion === apiVersion) return object
    const key = keyOf(object, to)
    const known = this.#known.get(key)
    if (known) {
      const { labels, annotations } = known.metadata
      const { labels: _labels, annotations: _annotations, ...kept } = object.metadata
      const metadata = { ...kept, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) }
      return { ...known, metadata }
    }
    throw new ConversionNeeded(this.#pending.get(key) ?? this.#ask([object], to))
  }

  prepare(objects: readonly ApiObject[], to: GroupVersion): Promise<void> | undefined {
    const apiVersion = formatGroupVersion(to)
    const wanted: ApiObject[] = []
    const asked = new Set<Promise<void>>()
    for (const object of objects) {
      if (object.apiVersion === apiVersion) continue
      const key = keyOf(object, to)
      const pending = this.#pending.get(key)
      if (pending) asked.add(pending)
      else if (!this.#known.has(key)) wanted.push(object)
    }
    if (wanted.length > 0) asked.add(this.#askAll(wanted, to))
    return asked.size > 0 ? Promise.all(asked).then(() => {}) : undefined
  }

  close(): void {
    this.#client?.close()
    this.#known.clear()
  }

  async #askAll(objects: readonly ApiObject[], to: GroupVersion): Promise<void> {
    const batches: ApiObject[][] = []
    for (let from = 0; from < objects.length; from += batchMax) batches.push(objects.slice(from, from + batchMax))
    const worker = async (): Promise<void> => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) await this.#ask(batch, to)
    }
    await Promise.all(Array.from({ length: Math.min(callsMax, batches.length) }, worker))
  }

  #ask(objects: readonly ApiObject[], to: GroupVersion): Promise<void> {
    const keys = objects.map((object) => keyOf(object, to))
    const asking = this.#call(objects, to).then((converted) => {
      for (const [index, key] of keys.entries()) {
        const object = converted[index]
        if (object) this.#remember(key, object)
      }
    })
    for (const key of keys) this.#pending.set(key, asking)
    const over = (): void => {
      for (const key of keys) if (this.#pending.get(key) === asking) this.#pending.delete(key)
    }
    asking.then(over, over)
    return asking
  }

  #remember(key: string, object: ApiObject): void {
    this.#known.set(key, object)
    if (this.#known.size <= rememberedMax) return
    const [oldest] = this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
  }

  async #call(objects: readonly ApiObject[], to: GroupVersion): Promise<readonly ApiObject[]> {
    const [first] = objects
    if (!first) return []
    const from = parseGroupVersion(first.apiVersion) ?? to
    const { clock, metrics } = this.#dependencies
    const startMs = clock.monotonicMs()
    const called = (failure: ConversionFailure | undefined): void => {
      const seconds = (clock.monotonicMs() - startMs) / 1000
      metrics.called({ definition: this.#definition, from: from.version, to: to.version, seconds, failure })
    }
    const about = `conversion webhook for ${formatGroupVersionKind({ ...from, kind: first.kind })}`
    let failure: ConversionFailure = 'conversion_webhook_call_failure'
    try {
      const review = await this.#exchange(objects, to).catch((error: unknown) => failed(about, error))
      failure = 'conversion_webhook_malformed_response_failure'
      const converted = convertedOf(review, about)
      failure = 'conversion_webhook_partial_response_failure'
      if (converted.length !== objects.length)
        throw new ReviewError(`${about} returned ${converted.length} objects, expected ${objects.length}`)
      failure = 'conversion_webhook_invalid_converted_object_failure'
      const gvk = { ...to, kind: first.kind, apiVersion: formatGroupVersion(to) }
      const merged = objects.map((object, index) => mergeConverted(object, converted[index], gvk))
      called(undefined)
      return merged
    } catch (error) {
      called(failure)
      throw new StatusError(500, '', error instanceof Error ? error.message : String(error), { cause: error })
    }
  }

  async #exchange(objects: readonly ApiObject[], to: GroupVersion): Promise<Review> {
    const version = this.#version
    if (!version) throw new ReviewError('no version of ConversionReview is known to both')
    const uid = this.#dependencies.random.uuid()
    const sent = jsonText(reviewOf(version, uid, formatGroupVersion(to), objects))
    const { status, body } = await this.#post(sent)
    if (status < 200 || status > 299) throw new ReviewError(`the server answered with status ${status}`)
    return { version, uid, answer: parseJson(body) }
  }

  async #post(review: string): Promise<EndpointAnswer> {
    const { service } = this.#conversion.clientConfig ?? {}
    // Before a connection is asked for, since nothing could tell of a failure there.
    if (service) this.#address = await this.#dependencies.resolve({ port: portDefault, ...service })
    this.#client ??= this.#connect()
    return await this.#client.post(review)
  }

  #connect(): EndpointClient {
    const { url = '', service, caBundle } = this.#conversion.clientConfig ?? {}
    const at = service && { port: portDefault, ...service }
    const path = at?.path ?? ''
    const endpoint = {
      url: at ? `https://${serviceHost(at)}:${at.port}${path === '' || path.startsWith('/') ? path : `/${path}`}` : url,
      ...(caBundle ? { ca: Buffer.from(caBundle, 'base64').toString() } : {}),
      ...(at ? { serverName: serviceHost(at), dial: () => this.#address ?? { host: at.name, port: at.port } } : {}),
    }
    return createEndpointClient({ clock: this.#dependencies.clock }, endpoint, { bodyBytesMax: answerBytesMax })
  }
}

/** An answer, and the request that it must be about. */
interface Review {
  readonly version: ReviewVersion
  readonly uid: string
  readonly answer: unknown
}

function convertedOf({ version, uid, answer }: Review, about: string): readonly unknown[] {
  try {
    return readReview(answer, version, uid)
  } catch (error) {
    return failed(about, error)
  }
}

function failed(about: string, cause: unknown): never {
  throw new ReviewError(`${about} failed: ${reasonOf(cause)}`, { cause })
}

/** Failures of calls are worded as clients know them: `Post "https://…": …`. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/^POST (\S+): /, 'Post "$1": ')
}

/** Equal for objects that convert to the same: their content without what no webhook may change. */
function keyOf(object: ApiObject, to: GroupVersion): string {
  const { metadata, ...rest } = object
  const { name, namespace, uid, labels, annotations } = metadata
  const content = { ...rest, metadata: { name, namespace, uid, labels, annotations } }
  const digest = createHash('sha256')
    .update(encodeUntyped(content as unknown as JsonValue))
    .digest('base64')
  return `${to.version} ${digest}`
}
