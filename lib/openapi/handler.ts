import { createHash } from 'node:crypto'
import { statusErrors } from '../object/index.ts'
import { type Call, parseAccept } from '../request/index.ts'
import type { ServedGroup } from '../schema/index.ts'
import { type OpenApiSource, openApiV2, openApiV3, servedDigestText } from './document.ts'
import { documentPath } from './operations.ts'
import { encodeOpenApiV2 } from './protobuf.ts'

export interface OpenApiOptions {
  /** The release that documents name: `v1.33.0`. */
  readonly version: string
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

const protobufType = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
const protobufTypes = new Set([protobufType, 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'])
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
        return remember('2 protobuf', type, () => encodeOpenApiV2(openApiV2(source, options.version)))
      if (isJson(type)) return remember('2 json', 'application/json', json)
    }
    throw statusErrors.notAcceptable(`only the following media types are accepted: application/json, ${protobufType}`)
  }

  function version3Index(): Answer {
    return remember('3', 'application/json', () => {
      const paths = Object.fromEntries(
        served().map(({ path, digest }) => [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${digest}` }]),
      )
      return Buffer.from(JSON.stringify({ paths }))
    })
  }

  /** The hash of a document comes from what it is made of, so that the index needn't make them all. */
  function served(): { path: string; digest: string; group: ServedGroup; version: string }[] {
    return source.groups().flatMap((group) =>
      group.versions.map((one) => ({
        path: documentPath({ group: group.name, version: one.version }),
        digest: createHash('sha512')
          .update(options.version)
          .update(servedDigestText([{ name: group.name, versions: [one] }]))
          .digest('hex')
          .toUpperCase(),
        group,
        version: one.version,
      })),
    )
  }

  function version3(path: string): Answer {
    const found = served().find((one) => one.path === path)
    const one = found?.group.versions.find(({ version }) => version === found.version)
    if (!found || !one) throw statusErrors.noSuchResource()
    const answer = remember(`3 ${path}`, 'application/json', () =>
      Buffer.from(JSON.stringify(openApiV3(source, options.version, found.group, one))),
    )
    return { ...answer, hash: found.digest }
  }

  return {
    handle(call) {
      if (call.method !== 'GET' && call.method !== 'HEAD') throw statusErrors.methodNotAllowed()
      if (call.path === '/openapi/v2') return send(call, version2(call))
      const path = call.path.slice('/openapi/v3'.length).replace(/^\/|\/$/g, '')
      if (path === '') return send(call, version3Index())
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
