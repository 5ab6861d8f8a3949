import { type HeaderSink, isHeaderName } from '../../http2/index.ts'
import { badValue, singleHeaders, trimmed } from '../requestheaders.ts'

export interface RequestHead {
  /** GET for an extended CONNECT, as over HTTP/1.1. */
  readonly method: string
  /** The protocol that an extended CONNECT asks for (RFC 8441); '' for all other requests. */
  readonly protocol: string
  /** Path with its query; '' where the method is CONNECT. */
  readonly path: string
  /** Names in lower case; a repeated header is joined as node does it over HTTP/1.1. */
  readonly headers: Record<string, string | undefined>
  /** Alternating names and values as sent. */
  readonly raw: readonly string[]
}

interface HeadLimits {
  readonly headerBytesMax: number
  readonly headerCountMax: number
}

/** How to treat a header, depending on its name only. */
type Rule = 'forbidden' | 'te' | 'single' | 'length' | 'cookie' | 'joined'

/** Bytes that RFC 9113, section 6.5.2, adds to each field. */
const fieldOverheadBytes = 32

/** Headers of an HTTP/1.1 connection, forbidden in HTTP/2 (RFC 9113, section 8.2.2). */
const forbidden = 'connection keep-alive proxy-connection transfer-encoding upgrade'
const usual = 'accept accept-encoding accept-language cache-control expect origin x-forwarded-for'

const pseudoHeaders: ReadonlySet<string> = new Set([':method', ':scheme', ':path', ':authority', ':protocol'])
const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...forbidden.split(' ').map((name) => [name, 'forbidden'] as const),
  ...singleHeaders.map((name) => [name, 'single'] as const),
  ...usual.split(' ').map((name) => [name, 'joined'] as const),
  ['content-length', 'length'],
  ['cookie', 'cookie'],
  ['te', 'te'],
])

const method = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const usualMethods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])
/** Targets, authorities and schemes are ASCII without spaces and control characters, as over HTTP/1.1. */
const badTarget = /[^!-~]/
const digits = /^\d{1,15}$/

/** Collects the fields of successive header blocks and checks them by RFC 9113, section 8. */
export class HeadCollector implements HeaderSink {
  readonly #limits: HeadLimits
  #raw: string[] = []
  #headers: Record<string, string | undefined> = Object.create(null) as Record<string, string | undefined> // no prototype
  #pseudo: Partial<Record<string, string>> = {}
  #regular = false
  #bytes = 0
  /** The pseudo-headers are not a request's. */
  #isNoRequest = false
  /** Some header is malformed. */
  #isMalformed = false

  constructor(limits: HeadLimits) {
    this.#limits = limits
  }

  /** Prepares for another block. */
  begin(): void {
    this.#raw = []
    this.#headers = Object.create(null) as Record<string, string | undefined> // no prototype
    this.#pseudo = {}
    this.#regular = false
    this.#bytes = 0
    this.#isNoRequest = false
    this.#isMalformed = false
  }

  onHeader(name: string, value: string): void {
    this.#bytes += name.length + value.length + fieldOverheadBytes
    // Headers beyond the limits are counted, but not kept.
    if (this.#isTooLarge) return
    if (name.startsWith(':')) return this.#takePseudo(name, value)
    this.#regular = true
    const rule = rules.get(name) ?? (isHeaderName(name) ? 'joined' : undefined)
    if (rule === undefined || badValue.test(value)) this.#isMalformed = true
    else this.#takeRegular(rule, name, trimmed(value, 0, value.length))
  }

  /**
   * The status to refuse the request with, or 0. Malformed headers could be answered by a reset as well (RFC 9113,
   * section 8.1.1), but some clients take that for a fault of the connection and retry forever.
   */
  get refusal(): number {
    if (this.#isTooLarge) return 431
    return this.#isMalformed ? 400 : 0
  }

  get #isTooLarge(): boolean {
    return this.#bytes > this.#limits.headerBytesMax || this.#raw.length > this.#limits.headerCountMax * 2
  }

  /** Undefined when the headers are no request. A request to be refused may lack some. */
  head(): RequestHead | undefined {
    const {
      [':method']: given,
      [':scheme']: scheme,
      [':path']: path,
      [':authority']: authority,
      [':protocol']: protocol,
    } = this.#pseudo
    if (this.#isNoRequest || given === undefined) return undefined
    const headers = this.#headers
    // Whatever its other headers (RFC 9113, section 8.3.1).
    if (authority !== undefined && authority !== '') headers['host'] = authority
    if (protocol !== undefined) {
      if (given !== 'CONNECT' || protocol === '' || !authority || scheme === undefined) return undefined
      if (path === undefined || !path.startsWith('/')) return undefined
      headers['upgrade'] = protocol
      return { method: 'GET', protocol, path, headers, raw: this.#raw }
    }
    if (given === 'CONNECT') {
      if (scheme !== undefined || path !== undefined || authority === undefined) return undefined
      return { method: given, protocol: '', path: '', headers, raw: this.#raw }
    }
    if (scheme === undefined || path === undefined) return undefined
    if (!path.startsWith('/') && !(path === '*' && given === 'OPTIONS')) return undefined
    return { method: given, protocol: '', path, headers, raw: this.#raw }
  }

  /** Whether the block is valid as trailers. Their content is ignored. */
  get trailers(): boolean {
    return this.refusal === 0 && !this.#isNoRequest && Object.keys(this.#pseudo).length === 0
  }

  #takePseudo(name: string, value: string): void {
    const isRight = name === ':method' ? usualMethods.has(value) || method.test(value) : !badTarget.test(value)
    if (!isRight || !pseudoHeaders.has(name) || this.#regular || this.#pseudo[name] !== undefined)
      this.#isNoRequest = true
    else this.#pseudo[name] = value
  }

  #takeRegular(rule: Rule, name: string, value: string): void {
    const known = this.#headers[name]
    this.#raw.push(name, value)
    if (rule === 'forbidden' || (rule === 'te' && value !== 'trailers')) this.#isMalformed = true
    else if (rule === 'length' && (known !== undefined || !digits.test(value))) this.#isMalformed = true
    else if (known === undefined) this.#headers[name] = value
    else if (rule === 'cookie') this.#headers[name] = `${known}; ${value}`
    else if (rule !== 'single') this.#headers[name] = `${known}, ${value}`
  }
}
