import { createHash } from 'node:crypto'
import { type GroupVersionKind, type StatusError, statusErrors } from '../object/index.ts'
import { type Call, isPretty, type MediaRange, parseAccept, sendNoSuchPath } from '../request/index.ts'
import { type AggregatedVersion, apiGroupDiscoveryList } from './aggregated.ts'
import { isServedHere, type ListedGroup } from './contract.ts'
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts'

type Json = Record<string, unknown>

interface DiscoveryDependencies {
  /** All groups; a new array whenever they change (custom resources and other servers are added and removed). */
  groups(): readonly ListedGroup[]
  /** Other replicas, whose groups are also in the aggregated `/apis`; absent: it covers this server alone. */
  readonly peers?: DiscoveredPeers | undefined
  /** The body in another format than JSON. */
  encode(document: Json, kind: GroupVersionKind, mediaType: string): Uint8Array
}

interface DiscoveredPeers {
  /** A new array whenever anything changes. */
  groups(own: readonly ListedGroup[]): readonly ListedGroup[]
  noPeerAsked(): void
}

interface DiscoveryOptions {
  /** `host:port` for clients that reach no other address. */
  readonly serverAddress: string
  /** Offers documents in CBOR. */
  readonly cbor?: boolean
}

interface Discovery {
  /** Answers `/api`, `/apis` and the paths below them down to `/apis/{group}/{version}`. */
  handle(call: Call): void | Promise<void>
}

interface Offer {
  readonly mediaType: string
  readonly contentType: string
  readonly aggregated: AggregatedVersion | undefined
  /** Without the groups of other replicas. */
  readonly nopeer: boolean
}

interface Format extends Offer {
  /** Indented JSON. */
  readonly pretty: boolean
}

interface Answer {
  readonly body: Uint8Array
  readonly contentType: string
  readonly etag: string | undefined
}

interface MadeAnswer extends Answer {
  readonly from: readonly ListedGroup[]
}

const encodings: readonly string[] = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']
/** Paths × formats: a few hundred with every group in every format. */
const answersMax = 1000

/** Every document is made at its first request and kept until the served groups change. */
export function createDiscovery(dependencies: DiscoveryDependencies, options: DiscoveryOptions): Discovery {
  const offered = options.cbor === true ? [...encodings, 'application/cbor'] : encodings
  let made = new Map<string, MadeAnswer>()
  let madeFrom: readonly ListedGroup[] | undefined

  function answer(path: string, format: Format): Answer {
    const own = dependencies.groups()
    if (own !== madeFrom || made.size > answersMax) {
      made = new Map()
      madeFrom = own
    }
    const groups = withPeers(path, format, own)
    const key = `${format.pretty ? 'pretty ' : ''}${format.contentType} ${path}${groups === own ? '' : ' of all'}`
    const known = made.get(key)
    if (known?.from === groups) return known
    const fresh = { ...makeAnswer(path, format, groups), from: groups }
    made.set(key, fresh)
    return fresh
  }

  function withPeers(
    path: string,
    { aggregated, nopeer }: Format,
    own: readonly ListedGroup[],
  ): readonly ListedGroup[] {
    const { peers } = dependencies
    if (!peers || aggregated === undefined || path !== '/apis') return own
    if (!nopeer) return peers.groups(own)
    peers.noPeerAsked()
    return own
  }

  function makeAnswer(path: string, format: Format, groups: readonly ListedGroup[]): Answer {
    const document = makeDocument(path, format, groups)
    const body =
      format.mediaType === 'application/json'
        ? Buffer.from(format.pretty ? JSON.stringify(document, undefined, 2) : `${JSON.stringify(document)}\n`)
        : dependencies.encode(document, kindOf(document, format), format.mediaType)
    const etag =
      format.aggregated === undefined ? undefined : `"${createHash('sha256').update(body).digest('hex').toUpperCase()}"`
    return { body, contentType: format.contentType, etag }
  }

  function makeDocument(path: string, format: Format, groups: readonly ListedGroup[]): Json {
    const [, root, first, second] = path.split('/')
    const isCore = root === 'api'
    const core = groups.filter((group) => group.name === '')
    const named = groups.filter((group) => group.name !== '')
    if (first === undefined) {
      if (format.aggregated !== undefined) return apiGroupDiscoveryList(isCore ? core : named, format.aggregated)
      return isCore ? apiVersions(core[0], options.serverAddress) : apiGroupList(named)
    }
    const group = isCore ? core[0] : named.find(({ name }) => name === first)
    if (!group) throw notServed()
    const wanted = isCore ? first : second
    if (wanted === undefined) return apiGroup(group)
    const version = group.versions.find((one) => one.version === wanted)
    if (!version || !isServedHere(version)) throw notServed()
    return apiResourceList(group, version)
  }

  function isServed(path: string): boolean {
    const [, root, name] = path.split('/')
    return root === 'api' || name === undefined || dependencies.groups().some((group) => group.name === name)
  }

  return {
    handle(call) {
      const path = call.path.endsWith('/') ? call.path.slice(0, -1) : call.path
      if (!isServed(path)) return sendNoSuchPath(call)
      if (call.method !== 'GET' && call.method !== 'HEAD') throw statusErrors.methodNotAllowed()
      const isRoot = path === '/api' || path === '/apis'
      const pretty = isPretty(call.query, call.headers['user-agent'])
      const format = { ...chooseFormat(call.headers['accept'], isRoot, offered), pretty }
      const { body, contentType, etag } = answer(path, format)
      const headers = { 'content-type': contentType, ...(isRoot ? { vary: 'Accept' } : {}), ...(etag ? { etag } : {}) }
      if (etag !== undefined && call.headers['if-none-match'] === etag) return call.responder.send(304, headers)
      return call.responder.send(200, headers, body)
    },
  }
}

function notServed(): StatusError {
  return statusErrors.noSuchResource()
}

function kindOf(document: Json, format: Format): GroupVersionKind {
  const kind = String(document['kind'])
  if (format.aggregated !== undefined) return { group: 'apidiscovery.k8s.io', version: format.aggregated, kind }
  return { group: '', version: 'v1', kind }
}

/** The first clause of the Accept header with an offered format; JSON without such a header. */
function chooseFormat(accept: string | undefined, isRoot: boolean, offered: readonly string[]): Offer {
  for (const range of parseAccept(accept ?? '*/*')) {
    const format = formatOf(range, isRoot, offered)
    if (format) return format
  }
  throw statusErrors.notAcceptable(`only the following media types are accepted: ${offered.join(', ')}`)
}

function formatOf({ type, parameters }: MediaRange, isRoot: boolean, offered: readonly string[]): Offer | undefined {
  const mediaType = type === '*/*' || type === 'application/*' ? 'application/json' : type
  if (!offered.includes(mediaType)) return undefined
  const as = parameters['as']
  if (as === undefined) return { mediaType, contentType: mediaType, aggregated: undefined, nopeer: false }
  const version = parameters['v']
  if (!isRoot || as !== 'APIGroupDiscoveryList' || parameters['g'] !== 'apidiscovery.k8s.io') return undefined
  if (version !== 'v2' && version !== 'v2beta1') return undefined
  return {
    mediaType,
    contentType: `${mediaType};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
    aggregated: version,
    nopeer: parameters['profile'] === 'nopeer',
  }
}
