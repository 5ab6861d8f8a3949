import type { ServedGroup } from '../schema/index.ts'
import { type Answer, digest } from './answer.ts'
import { type OpenApiSource, openApiV2 } from './document.ts'
import type { OpenApiOptions } from './handler.ts'
import { messagesV2 } from './messagesv2.ts'
import { encodeDocument } from './protobuf.ts'
import { type RemoteDocuments, withoutConflicts } from './remote.ts'
import type { Json } from './schemas.ts'

/**
 * The one document of version 2, in JSON or protobuf: made at its first request and kept until the served groups
 * change. The groups of built-in kinds are made together, every other group alone with a pause before it.
 */
export function createMerged(
  source: OpenApiSource,
  options: OpenApiOptions,
): (contentType: string) => Answer | Promise<Answer> {
  let made = new Map<string, Answer | Promise<Answer>>()
  let madeFrom: readonly ServedGroup[] | undefined
  let madeWith: readonly RemoteDocuments[] | undefined

  return (contentType) => {
    const groups = source.groups()
    const remote = options.remote?.()
    if (groups !== madeFrom || remote !== madeWith) {
      made = new Map()
      madeFrom = groups
      madeWith = remote
    }
    const known = made.get(contentType)
    if (known) return known
    const into = made
    const making = make(source, options, groups, remote ?? [], contentType)
    into.set(contentType, making)
    if (making instanceof Promise)
      making.then(
        (answer) => into.set(contentType, answer),
        () => into.delete(contentType),
      )
    return making
  }
}

function make(
  source: OpenApiSource,
  options: OpenApiOptions,
  groups: readonly ServedGroup[],
  remote: readonly RemoteDocuments[],
  contentType: string,
): Answer | Promise<Answer> {
  const merge = contentType === 'application/json' ? new JsonParts() : new MessageParts()
  const foreign = groups.filter(isForeign)
  merge.add(
    openApiV2(
      source,
      options.version,
      groups.filter((group) => !isForeign(group)),
    ),
  )
  const finish = (): Answer => {
    const body = merge.finish()
    return { body, contentType, hash: digest(body) }
  }
  if (foreign.length === 0 && remote.length === 0) return finish()
  return (async () => {
    for (const group of foreign) {
      await options.pause()
      merge.add(openApiV2(source, options.version, [group]))
    }
    for (const { version2 } of remote) {
      if (!version2) continue
      await options.pause()
      addRemote(merge, version2)
    }
    await options.pause()
    return finish()
  })()
}

/** A document of another server that can't be encoded in this form is left out; others are not affected. */
function addRemote(merge: JsonParts | MessageParts, document: NonNullable<RemoteDocuments['version2']>): void {
  try {
    merge.add(withoutConflicts(document, merge.definitions))
  } catch {
    // The error is logged where the server's documents are fetched; here they are only data.
  }
}

function isForeign({ versions }: ServedGroup): boolean {
  return versions.some(({ resources }) => resources.some(({ published }) => published))
}

/** Members of `paths` and `definitions` as text, each name once: the first one wins. */
class JsonParts {
  readonly #paths = new Map<string, string>()
  /** As text. */
  readonly definitions = new Map<string, string>()
  #rest: Json | undefined

  add({ paths, definitions, ...rest }: Json): void {
    this.#rest ??= rest
    keep(this.#paths, paths as Json)
    keep(this.definitions, definitions as Json)
  }

  finish(): Uint8Array {
    const rest = JSON.stringify(this.#rest ?? {}).slice(0, -1)
    return Buffer.concat([
      Buffer.from(`${rest},"paths":{`),
      Buffer.from(membersOf(this.#paths)),
      Buffer.from('},"definitions":{'),
      Buffer.from(membersOf(this.definitions)),
      Buffer.from('}}'),
    ])
  }
}

function keep(into: Map<string, string>, members: Json): void {
  for (const [name, member] of Object.entries(members)) if (!into.has(name)) into.set(name, JSON.stringify(member))
}

function membersOf(members: ReadonlyMap<string, string>): string {
  return [...members].map(([name, member]) => `${JSON.stringify(name)}:${member}`).join(',')
}

/** Concatenated messages are one message with the members of all. */
class MessageParts {
  readonly #parts: Uint8Array[] = []
  /** As text. */
  readonly definitions = new Map<string, string>()

  add(document: Json): void {
    const known = this.definitions
    if (this.#parts.length === 0) {
      this.#parts.push(encodeDocument(messagesV2, document))
      return keep(known, document['definitions'] as Json)
    }
    const definitions = Object.fromEntries(
      Object.entries(document['definitions'] as Json).filter(([name]) => !known.has(name)),
    )
    this.#parts.push(encodeDocument(messagesV2, { paths: document['paths'], definitions }))
    keep(known, definitions)
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#parts)
  }
}
