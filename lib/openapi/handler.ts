import { statusErrors } from '../object/index.ts'
import type { Call } from '../request/index.ts'
import type { ServedGroup, ServedVersion } from '../schema/index.ts'
import { type Answer, chooseType, digest, jsonOf, jsonType, send, sendVersion3, version3Url } from './answer.ts'
import { type OpenApiSource, openApiV3 } from './document.ts'
import { createMerged } from './merged.ts'
import { messagesV3 } from './messagesv3.ts'
import { documentPath } from './operations.ts'
import { encodeDocument } from './protobuf.ts'
import type { RemoteDocuments } from './remote.ts'
import type { Json } from './schemas.ts'

export interface OpenApiOptions {
  /** The release in documents: `v1.33.0`. */
  readonly version: string
  /** Pauses long work so that others run. */
  pause(): Promise<void>
  /** Documents of other servers; a new array after each change. */
  readonly remote?: () => readonly RemoteDocuments[]
}

interface OpenApi {
  /** Answers `/openapi/v2`, `/openapi/v3` and `/openapi/v3/{path}`. */
  handle(call: Call): void | Promise<void>
}

interface Index {
  readonly madeFrom: readonly ServedGroup[]
  readonly remote: readonly RemoteDocuments[]
  readonly answer: Answer
}

const none: readonly RemoteDocuments[] = []

/**
 * Documents are made at their first request and kept until their content changes: those of version 3 until their group
 * version does.
 */
export function createOpenApi(source: OpenApiSource, options: OpenApiOptions): OpenApi {
  const made = new WeakMap<ServedVersion, Map<string, Answer>>()
  const hashes = new WeakMap<ServedVersion, string>()
  const merged = createMerged(source, options)
  let index: Index | undefined
  const remoteDocuments = options.remote ?? ((): readonly RemoteDocuments[] => none)

  /** The index has the hashes of documents; between two documents made for it, others run. */
  async function version3Index(): Promise<Answer> {
    const groups = source.groups()
    const remote = remoteDocuments()
    if (index?.madeFrom === groups && index.remote === remote) return index.answer
    const paths: Record<string, { serverRelativeURL: string }> = {}
    for (const { path, group, one } of served(groups)) {
      const isMade = hashes.has(one)
      paths[path] = { serverRelativeURL: version3Url(path, hashOf(group, one)) }
      if (!isMade) await options.pause()
    }
    for (const { path, url } of remote) if (url !== '') paths[path] = { serverRelativeURL: url }
    const body = jsonOf({ paths })
    index = { madeFrom: groups, remote, answer: { body, contentType: jsonType, hash: digest(body) } }
    return index.answer
  }

  /**
   * All forms of a document share one hash: of its JSON, or, if that is expensive, of the versions that it depends on.
   */
  function hashOf(group: ServedGroup, one: ServedVersion): string {
    const known = hashes.get(one)
    if (known !== undefined) return known
    const isForeign = one.resources.some(({ published }) => published)
    const hash = isForeign ? digest(JSON.stringify([group.name, one, options.version])) : json(group, one).hash
    hashes.set(one, hash)
    return hash
  }

  function json(group: ServedGroup, one: ServedVersion): Answer {
    return remember(one, jsonType, () => jsonOf(openApiV3(source, options.version, group, one)))
  }

  /** `hash`: the document's; absent: the body's. */
  function remember(one: ServedVersion, contentType: string, make: () => Uint8Array, hash?: string): Answer {
    let answers = made.get(one)
    if (!answers) made.set(one, (answers = new Map()))
    const known = answers.get(contentType)
    if (known) return known
    const body = make()
    const answer = { body, contentType, hash: hash ?? digest(body) }
    answers.set(contentType, answer)
    return answer
  }

  function version3(path: string, type: string): Answer {
    const found = served(source.groups()).find((one) => one.path === path)
    if (!found) throw statusErrors.noSuchResource()
    const { group, one } = found
    const hash = hashOf(group, one)
    if (type === jsonType) return { ...json(group, one), hash }
    const document = (): Json => openApiV3(source, options.version, group, one)
    return remember(one, type, () => encodeDocument(messagesV3, document()), hash)
  }

  return {
    handle(call) {
      if (call.method !== 'GET' && call.method !== 'HEAD') throw statusErrors.methodNotAllowed()
      if (call.path === '/openapi/v2') {
        const answer = merged(chooseType(call, 2))
        return answer instanceof Promise ? answer.then((found) => send(call, found)) : send(call, answer)
      }
      const path = call.path.slice('/openapi/v3'.length).replace(/^\/|\/$/g, '')
      if (path === '') return version3Index().then((found) => send(call, found))
      const elsewhere = remoteDocuments().find((one) => one.path === path && one.url !== '')
      if (elsewhere) return elsewhere.serve(call)
      return sendVersion3(call, path, version3(path, chooseType(call, 3)))
    },
  }
}

function served(groups: readonly ServedGroup[]): { path: string; group: ServedGroup; one: ServedVersion }[] {
  return groups.flatMap((group) =>
    group.versions.map((one) => ({ path: documentPath({ group: group.name, version: one.version }), group, one })),
  )
}
