import type * as v1 from '../../../api/gen/apiextensions.k8s.io/v1.ts'
import { type Clock, type PausableWork, Pauses, type Random } from '../../base/index.ts'
import {
  answerProblem,
  createEndpointClient,
  type EndpointAnswer,
  type EndpointClient,
  hookPlace,
  type ResolveService,
  type ServiceAddress,
} from '../../client/index.ts'
import { checkValues, mayExceedValues, parseJson, type Span } from '../../codec/index.ts'
import type { Egress } from '../../egress/index.ts'
import {
  type ApiObject,
  formatGroupVersion,
  formatGroupVersionKind,
  type GroupVersion,
  parseGroupVersion,
  StatusError,
} from '../../object/index.ts'
import { joinText, objectText } from '../objecttext.ts'
import type { ConversionFailure, ConversionMetrics } from './metrics.ts'
import { mergeConverted, ReviewError, type ReviewVersion, readReview, reviewOf, reviewVersions } from './review.ts'
import { headerOf } from './subject.ts'

export interface ConversionCallDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly resolve: ResolveService
  /** Webhooks of services are in the cluster's network, those of URLs in the control plane's. */
  readonly egress: Egress
  readonly metrics: ConversionMetrics
}

/** Maximum length of an answer, and for each byte that was sent: versions may spell out the same at greater length. */
const answerBytesMin = 4 * 1024 * 1024
const answerBytesPerByte = 8
const portDefault = 443

/** Prunes a converted object, in place, to the schema of its version. */
export type Coerce = (object: ApiObject) => void

/** Calls one conversion webhook. */
export class WebhookCaller {
  readonly #definition: string
  readonly #conversion: v1.WebhookConversion
  readonly #dependencies: ConversionCallDependencies
  readonly #version: ReviewVersion | undefined
  #client: EndpointClient | undefined
  /** Address of the last successful lookup of its service. */
  #address: ServiceAddress | undefined

  constructor(definition: string, conversion: v1.WebhookConversion, dependencies: ConversionCallDependencies) {
    this.#definition = definition
    this.#conversion = conversion
    this.#dependencies = dependencies
    this.#version = (conversion.conversionReviewVersions ?? [])
      .map((name) => reviewVersions.find((version) => version === name))
      .find((version) => version !== undefined)
  }

  close(): void {
    this.#client?.close()
  }

  /** Converts texts of objects in one version to texts in another. Rejects with StatusError 500. */
  async convert(texts: readonly Uint8Array[], to: GroupVersion, coerce: Coerce): Promise<readonly Uint8Array[]> {
    const [first] = texts
    if (!first) return []
    const { kind, apiVersion } = headerOf(first)
    const from = parseGroupVersion(apiVersion) ?? to
    const { clock, metrics } = this.#dependencies
    const startMs = clock.monotonicMs()
    const called = (failure: ConversionFailure | undefined): void => {
      const seconds = (clock.monotonicMs() - startMs) / 1000
      metrics.called({ definition: this.#definition, from: from.version, to: to.version, seconds, failure })
    }
    const about = `conversion webhook for ${formatGroupVersionKind({ ...from, kind })}`
    const pauses = new Pauses(clock)
    let failure: ConversionFailure = 'conversion_webhook_call_failure'
    try {
      const { answer, version, uid } = await this.#exchange(texts, to).catch((error: unknown) => failed(about, error))
      failure = 'conversion_webhook_malformed_response_failure'
      const found = await pauses
        .run(readReview(answer, { version, uid, count: texts.length }))
        .catch((error: unknown) => failed(about, error))
      failure = 'conversion_webhook_partial_response_failure'
      if (found.count !== texts.length)
        throw new ReviewError(`${about} returned ${found.count} objects, expected ${texts.length}`)
      failure = 'conversion_webhook_invalid_converted_object_failure'
      const converted: Uint8Array[] = []
      for (const [index, text] of texts.entries()) {
        const span = found.first[index]
        if (pauses.isDue) await pauses.pause()
        if (span) converted.push(await pauses.run(takeOver(text, { answer, span, to, kind, about }, coerce)))
      }
      called(undefined)
      return converted
    } catch (error) {
      called(failure)
      throw new StatusError(500, '', error instanceof Error ? error.message : String(error), { cause: error })
    }
  }

  async #exchange(texts: readonly Uint8Array[], to: GroupVersion): Promise<Review> {
    const version = this.#version
    if (!version) throw new ReviewError('no version of ConversionReview is known to both')
    const uid = this.#dependencies.random.uuid()
    const given = await this.#post(reviewOf(version, uid, formatGroupVersion(to), texts))
    const refusal = answerProblem(given)
    if (refusal !== undefined) throw new ReviewError(refusal)
    return { version, uid, answer: given.body }
  }

  async #post(review: Uint8Array): Promise<EndpointAnswer> {
    const { service } = this.#conversion.clientConfig ?? {}
    // Resolved before the connection, since `dial` can not report a failure.
    if (service) this.#address = await this.#dependencies.resolve({ port: portDefault, ...service })
    this.#client ??= this.#connect()
    const answerBytesMax = answerBytesMin + answerBytesPerByte * review.length
    return await this.#client.post(review, undefined, undefined, answerBytesMax)
  }

  #connect(): EndpointClient {
    const { caBundle, ...target } = this.#conversion.clientConfig ?? {}
    const { url, service: at } = hookPlace(target)
    const { clock, egress } = this.#dependencies
    const endpoint = {
      url,
      dialer: at ? egress.cluster : egress.controlplane,
      ...(caBundle ? { ca: Buffer.from(caBundle, 'base64').toString() } : {}),
      ...(at ? { serverName: at.host, dial: () => this.#address ?? { host: at.name, port: at.port } } : {}),
    }
    return createEndpointClient({ clock }, endpoint)
  }
}

/** An answer, and the request that it must match. */
interface Review {
  readonly version: ReviewVersion
  readonly uid: string
  readonly answer: Uint8Array
}

interface Answered {
  readonly answer: Uint8Array
  readonly span: Span
  readonly to: GroupVersion
  readonly kind: string
  readonly about: string
}

/** One object of an answer, as a text. */
function* takeOver(
  sent: Uint8Array,
  { answer, span, to, kind, about }: Answered,
  coerce: Coerce,
): PausableWork<Uint8Array> {
  const text = answer.subarray(span.from, span.to)
  // An object that was stored with more values is converted all the same.
  if (mayExceedValues(text.length) && text.length > sent.length) checkValues(text)
  const value = parsed(text, about)
  yield
  const object = mergeConverted(headerOf(sent), value, { ...to, kind, apiVersion: formatGroupVersion(to) })
  coerce(object)
  yield
  const parts = objectText(object)
  return Buffer.from(joinText(parts, object.metadata.resourceVersion))
}

function parsed(text: Uint8Array, about: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    return failed(about, error)
  }
}

function failed(about: string, cause: unknown): never {
  throw new ReviewError(`${about} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
}
