import { createHash } from 'node:crypto'
import { statusErrors } from '../object/index.ts'
import { type Call, parseAccept } from '../request/index.ts'
import type { ServedGroup, ServedVersion } from '../schema/index.ts'
import { type OpenApiSource, openApiV2, openApiV3 } from './document.ts'
import { documentPath } from './operations.ts'
import { encodeOpenApiV2 } from './protobuf.ts'

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

const protobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'
/** What clients ask for. RFC 9110 has no @ in a media type, and Go's clients refuse an answer that is labelled so. */
const protobufTypes = new Set([protobufType, 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'])
const yearSeconds = 365 * 24 * 3600

/** Documents are made when first asked for and kept until what is served changes. */
export function createOpenApi(source: OpenApiSource, options: OpenApiOptions): OpenApi {
  let madeFrom: readonly ServedGroup[] | undefined
  let made = new Map<string, Answer>()

  function remember(key: string, contentType: string, make: () => Uint8Array): Answer {
    const groups = source.groups()
    if (groups !== madeFrom) {
      made = new Map()
      madeFrom = groups
    }
    const known = made.get(key)
    if (known) return known
    const body = make()
    const hash = createHash('sha512').update(body).digest('hex').toUpperCase()
    const answer = { body, contentType, hash }
    made.set(key, answer)
    return answer
  }

  function version2(call: Call): Answer {
    const json = (): Uint8Array => Buffer.from(JSON.stringify(openApiV2(source, options.version)))
    for (const { type } of parseAccept(call.headers['accept'] ?? '*/*')) {
      if (protobufTypes.has(type))
        return remember('2 protobuf', protobufType, () => encodeOpenApiV2(openApiV2(source, options.version)))
      if (isJson(type)) return remember('2 json', 'application/json', json)
    }
    throw statusErrors.notAcceptable(`only the following media types are accepted: application/json, ${protobufType}`)
  }

  /** Documents are named with their hashes, so all of them have to be made; between two, others get their turn. */
  async function version3Index(): Promise<Answer> {
    const paths: Record<string, { serverRelativeURL: string }> = {}
    for (const { path } of served()) {
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${version3(path).hash}` }
      await options.pause()
    }
    return remember('3', 'application/json', () => Buffer.from(JSON.stringify({ paths })))
  }

  function served(): { path: string; group: ServedGroup; one: ServedVersion }[] {
    return source
      .groups()
      .flatMap((group) =>
        group.versions.map((one) => ({ path: documentPath({ group: group.name, version: one.version }), group, one })),
      )
  }

  function version3(path: string): Answer {
    const found = served().find((one) => one.path === path)
    if (!found) throw statusErrors.noSuchResource()
    return remember(`3 ${path}`, 'application/json', () =>
      Buffer.from(JSON.stringify(openApiV3(source, options.version, found.group, found.one))),
    )
  }

  return {
    handle(call) {
      if (call.method !== 'GET' && call.method !== 'HEAD') throw statusErrors.methodNotAllowed()
      if (call.path === '/openapi/v2') return send(call, version2(call))
      const path = call.path.slice('/openapi/v3'.length).replace(/^\/|\/$/g, '')
      if (path === '') return version3Index().then((index) => send(call, index))
      const answer = version3(path)
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

function isJson(type: string): boolean {
  return type === 'application/json' || type === 'application/*' || type === '*/*'
}
