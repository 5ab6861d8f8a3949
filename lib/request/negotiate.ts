import { statusErrors } from '../object/index.ts'
import type { QueryParameters } from './query.ts'

/** Formats that endpoints offer. */
export type Format = 'json' | 'yaml' | 'protobuf' | 'cbor'

export const formatMediaTypes: Readonly<Record<Format, MediaTypeName>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  cbor: 'application/cbor',
}
export type MediaTypeName =
  | 'application/json'
  | 'application/yaml'
  | 'application/vnd.kubernetes.protobuf'
  | 'application/cbor'

/** A representation other than the object itself: a table, or metadata only. */
export interface Transform {
  readonly kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'
  readonly version: 'v1' | 'v1beta1'
}

export interface Negotiated {
  readonly format: Format
  readonly mediaType: MediaTypeName
  readonly transform: Transform | undefined
  /** The Accept clause has `pretty=1`. */
  readonly pretty: boolean
}

interface NegotiatorOptions {
  /** In the order of preference: the first one serves requests that accept anything. */
  readonly formats: readonly Format[]
  /** Formats that can be streamed to a watch. */
  readonly streamFormats: readonly Format[]
  /**
   * False: the endpoint's objects have no representation as Table or metadata (aggregated discovery, status bodies).
   */
  readonly transforms: boolean
  /**
   * Formats for metadata only: a custom resource has no protobuf encoding, its metadata has. With them an unacceptable
   * Accept header is refused with another message.
   */
  readonly metadataFormats?: readonly Format[]
}

/** Chooses the format of answers by the Accept header; equal headers are parsed once. */
export interface Negotiator {
  readonly formats: readonly Format[]
  /** Throws 406. */
  response(accept: string | undefined): Negotiated
  /** As `response`, for a watch. */
  stream(accept: string | undefined): Negotiated
  /** The format of a request's body by its Content-Type (JSON without one). Throws 415. */
  body(contentType: string | undefined): Format
}

const acceptsRememberedMax = 256
const rememberedCharactersMax = 1024

export function createNegotiator(options: NegotiatorOptions): Negotiator {
  const remembered = { response: new Map<string, Negotiated>(), stream: new Map<string, Negotiated>() }
  const first = options.formats[0] ?? 'json'
  const byDefault: Negotiated = {
    format: first,
    mediaType: formatMediaTypes[first],
    transform: undefined,
    pretty: false,
  }

  function negotiate(accept: string | undefined, use: 'response' | 'stream'): Negotiated {
    if (accept === undefined || accept === '' || accept === '*/*') return byDefault
    const memory = remembered[use]
    const known = memory.get(accept)
    if (known !== undefined) return known
    const chosen = choose(accept, use, options)
    if (accept.length <= rememberedCharactersMax) {
      if (memory.size >= acceptsRememberedMax) memory.clear()
      memory.set(accept, chosen)
    }
    return chosen
  }

  return {
    formats: options.formats,
    response: (accept) => negotiate(accept, 'response'),
    stream: (accept) => negotiate(accept, 'stream'),
    body(contentType) {
      if (contentType === undefined || contentType === '' || contentType === 'application/json') return 'json'
      const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase()
      const format = options.formats.find((candidate) => formatMediaTypes[candidate] === mediaType)
      if (format !== undefined) return format
      throw statusErrors.unsupportedMediaType(
        `the body of the request was in an unknown format - accepted media types include: ${names([...options.formats, ...(options.metadataFormats ?? [])]).join(', ')}`,
      )
    },
  }
}

interface Clause {
  readonly mediaType: string
  readonly quality: number
  readonly parameters: ReadonlyMap<string, string>
}

function choose(accept: string, use: 'response' | 'stream', options: NegotiatorOptions): Negotiated {
  const clauses = parseAccept(accept)
  const { metadataFormats = [] } = options
  const formats = [...(use === 'stream' ? options.streamFormats : options.formats), ...metadataFormats]
  let named = false
  for (const clause of clauses) {
    for (const format of [...options.formats, ...metadataFormats]) {
      if (!covers(clause.mediaType, format, use)) continue
      named = true
      if (!formats.includes(format)) continue
      const chosen = fit(clause, format, options)
      if (chosen !== undefined) return chosen
    }
  }
  throw statusErrors.notAcceptable(
    named || options.metadataFormats ? onlyText(use, options) : representationsText(options),
  )
}

/** A watch in CBOR is a sequence, and clients may ask for that media type. */
const cborSequence = 'application/cbor-seq'

function covers(wanted: string, format: Format, use: 'response' | 'stream'): boolean {
  if (wanted === formatMediaTypes[format] || wanted === '*/*' || wanted === 'application/*') return true
  return wanted === cborSequence && format === 'cbor' && use === 'stream'
}

/** Undefined when this format doesn't support the clause's parameters. */
function fit(clause: Clause, format: Format, options: NegotiatorOptions): Negotiated | undefined {
  const { parameters } = clause
  const stream = parameters.get('stream')
  const isOfMetadata = options.metadataFormats?.includes(format) === true
  const streams = stream === 'watch' && (options.streamFormats.includes(format) || isOfMetadata)
  if (stream !== undefined && stream !== '' && !streams) return undefined
  const transform = parseTransform(parameters)
  if (transform === 'unknown' || (isOfMetadata && transform === undefined)) return undefined
  if (transform !== undefined) {
    if (!options.transforms) return undefined
    if (transform.kind === 'Table' && format !== 'json' && format !== 'yaml') return undefined
  }
  return { format, mediaType: formatMediaTypes[format], transform, pretty: parameters.get('pretty') === '1' }
}

function parseTransform(parameters: ReadonlyMap<string, string>): Transform | 'unknown' | undefined {
  const kind = parameters.get('as')
  const group = parameters.get('g')
  const version = parameters.get('v')
  if (kind === undefined && group === undefined && version === undefined) return undefined
  if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return 'unknown'
  if (kind !== 'Table' && kind !== 'PartialObjectMetadata' && kind !== 'PartialObjectMetadataList') return 'unknown'
  return { kind, version }
}

/** Clauses by descending quality, then the more specific first, then in their order. Quality 0 is a refusal. */
function parseAccept(accept: string): Clause[] {
  const clauses: Clause[] = []
  for (const text of accept.split(',')) {
    const [type = '', ...rest] = text.split(';')
    const parameters = new Map<string, string>()
    let quality = 1
    for (const parameter of rest) {
      const equals = parameter.indexOf('=')
      if (equals < 0) continue
      const key = parameter.slice(0, equals).trim().toLowerCase()
      const value = unquote(parameter.slice(equals + 1).trim())
      if (key === 'q') quality = parseQuality(value)
      else parameters.set(key, value)
    }
    if (quality > 0) clauses.push({ mediaType: type.trim().toLowerCase(), quality, parameters })
  }
  const wildcards = (clause: Clause): number =>
    clause.mediaType === '*/*' ? 2 : clause.mediaType.endsWith('/*') ? 1 : 0
  return clauses.sort((a, b) => b.quality - a.quality || wildcards(a) - wildcards(b))
}

function unquote(text: string): string {
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
}

function parseQuality(text: string): number {
  const value = Number(text)
  return text === '' || !Number.isFinite(value) ? 1 : Math.min(1, Math.max(0, value))
}

function names(formats: readonly Format[]): string[] {
  return formats.map((format) => formatMediaTypes[format])
}

function onlyText(use: 'response' | 'stream', options: NegotiatorOptions): string {
  const { metadataFormats = [] } = options
  const types =
    use === 'stream'
      ? names([...options.streamFormats, ...metadataFormats]).map((name) => `${name};stream=watch`)
      : names([...options.formats, ...metadataFormats])
  return `only the following media types are accepted: ${types.join(', ')}`
}

function representationsText(options: NegotiatorOptions): string {
  const all = [...names(options.formats), ...names(options.streamFormats).map((name) => `${name};stream=watch`)]
  return `406: Not Acceptable\n\nAvailable representations: ${all.join(', ')}`
}

/** Whether an answer is indented: `pretty` in the query decides, otherwise the user agent (curl, wget, browsers). */
export function isPretty(query: QueryParameters, userAgent: string | undefined): boolean {
  if (query.size > 0) {
    const asked = query.get('pretty')
    if (asked !== null && asked !== '') return asked === '1' || asked === 't' || /^(true|T|TRUE|True)$/.test(asked)
  }
  return userAgent !== undefined && /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent)
}
