import { createHash } from 'node:crypto'
import { statusErrors } from '../object/index.ts'
import { type Call, parseAccept } from '../request/index.ts'
import type { ServedGroup, ServedVersion } from '../schema/index.ts'
import { type OpenApiSource, openApiV2, openApiV3 } from './document.ts'
import { messagesV2 } from './messagesv2.ts'
import { messagesV3 } from './messagesv3.ts'
import { documentPath } from './operations.ts'
import { encodeDocument } from './protobuf.ts'
import type { Json } from './schemas.ts'

export interface OpenApiOptions {
  /** The release that documents name: `v1.33.0`. */
  readonly version: string
  /** Lets others have their turn during long work. */
  pause(): Promise<void>
}

export interface OpenApi {
  /** Answers `/openapi/v2`, `/openapi/v3` and `/openapi/v3/{path}`. */
  handle(call: Call): void | Promise<void>
}

interface Answer {
  readonly body: Uint8Array
  readonly contentType: string
  readonly hash: string
}

const jsonType = 'application/json'
/** What answers are labelled with. RFC 9110 has no @ in a media type, and Go's clients refuse an answer that has. */
const protobufTypes = {
  2: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  3: 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf',
} as const
const yearSeconds = 365 * 24 * 3600

/** Documents are made when first asked for and kept until what is served changes. */
export function createOpenApi(source: OpenApiSource, options: OpenApiOptions): OpenApi {
  let madeFrom: readonly ServedGroup[] | undefined
  let made = new Map<string, Answer>()

  /** `hash`: of another form of the same document, by which clients know both. */
  function remember(key: string, contentType: string, make: () => Uint8Array, hash?: string): Answer {
    const groups = source.groups()
    if (groups !== madeFrom) {
      made = new Map()
      madeFrom = groups
    }
    const known = made.get(key)
    if (known) return known
    const body = make()
    const answer = { body, contentType, hash: hash ?? createHash('sha512').update(body).digest('hex').toUpperCase() }
    made.set(key, answer)
    return answer
  }

  function version2(call: Call): Answer {
    const type = chooseType(call, 2)
    const document = (): Json => openApiV2(source, options.version)
    if (type === jsonType) return remember('2 json', type, () => jsonOf(document()))
    return remember('2 protobuf', type, () => encodeDocument(messagesV2, document()))
  }

  /** Documents are named with their hashes, so all of them have to be made; between two, others get their turn. */
  async function version3Index(): Promise<Answer> {
    const paths: Record<string, { serverRelativeURL: string }> = {}
    for (const { path } of served()) {
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${version3(path, jsonType).hash}` }
      await options.pause()
    }
    return remember('3', jsonType, () => jsonOf({ paths }))
  }

  function served(): { path: string; group: ServedGroup; one: ServedVersion }[] {
    return source
      .groups()
      .flatMap((group) =>
        group.versions.map((one) => ({ path: documentPath({ group: group.name, version: one.version }), group, one })),
      )
  }

  /** Every form of a document goes by the hash of its JSON. */
  function version3(path: string, type: string): Answer {
    const found = served().find((one) => one.path === path)
    if (!found) throw statusErrors.noSuchResource()
    const document = (): Json => openApiV3(source, options.version, found.group, found.one)
    const json = remember(`3 ${path}`, jsonType, () => jsonOf(document()))
    if (type === jsonType) return json
    return remember(`3 ${path} protobuf`, type, () => encodeDocument(messagesV3, document()), json.hash)
  }

  return {
    handle(call) {
      if (call.method !== 'GET' && call.method !== 'HEAD') throw statusErrors.methodNotAllowed()
      if (call.path === '/openapi/v2') return send(call, version2(call))
      const path = call.path.slice('/openapi/v3'.length).replace(/^\/|\/$/g, '')
      if (path === '') return version3Index().then((index) => send(call, index))
      const answer = version3(path, chooseType(call, 3))
      const asked = call.query.get('hash')
      if (asked !== null && asked !== '' && asked !== answer.hash)
        return call.responder.send(301, { location: `/openapi/v3/${path}?hash=${answer.hash}` })
      // A URL that names its hash answers the same for ever.
      const caching: Record<string, string> =
        asked === answer.hash ? { 'cache-control': `public, immutable, max-age=${yearSeconds}` } : {}
      return send(call, answer, caching)
    },
  }
}

function send(
  call: Call,
  { body, contentType, hash }: Answer,
  more: Record<string, string> = {},
): void | Promise<void> {
  const headers = { 'content-type': contentType, etag: `"${hash}"`, vary: 'Accept', ...more }
  if (call.headers['if-none-match'] === `"${hash}"`) return call.responder.send(304, headers)
  return call.responder.send(200, headers, body)
}

/** The first that the client accepts of JSON and the protobuf form of the version. Throws 406. */
function chooseType(call: Call, version: keyof typeof protobufTypes): string {
  const protobuf = protobufTypes[version]
  // Clients ask with an @ before the version of the form.
  const asked = protobuf.replace('.v1.0+', '@v1.0+')
  for (const { type } of parseAccept(call.headers['accept'] ?? '*/*')) {
    if (type === protobuf || type === asked) return protobuf
    if (type === jsonType || type === 'application/*' || type === '*/*') return jsonType
  }
  throw statusErrors.notAcceptable(`only the following media types are accepted: ${jsonType}, ${protobuf}`)
}

function jsonOf(document: Json): Uint8Array {
  return Buffer.from(JSON.stringify(document))
}
