import { createHash } from 'node:crypto'
import type { ServedGroup } from '../schema/index.ts'
import { type OpenApiSource, openApiV2 } from './document.ts'
import type { Answer, OpenApiOptions } from './handler.ts'
import { messagesV2 } from './messagesv2.ts'
import { encodeDocument } from './protobuf.ts'
import type { Json } from './schemas.ts'

/**
 * The one document of version 2, in JSON or protobuf: made when first asked for and kept until what is served changes. The
 * groups of built-in kinds are made together, every other group by itself with a pause before it.
 */
export function createMerged(
  source: OpenApiSource,
  options: OpenApiOptions,
): (contentType: string) => Answer | Promise<Answer> {
  let made = new Map<string, Answer | Promise<Answer>>()
  let madeFrom: readonly ServedGroup[] | undefined

  return (contentType) => {
    const groups = source.groups()
    if (groups !== madeFrom) {
      made = new Map()
      madeFrom = groups
    }
    const known = made.get(contentType)
    if (known) return known
    const into = made
    const making = make(source, options, groups, contentType)
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
    return { body, contentType, hash: createHash('sha512').update(body).digest('hex').toUpperCase() }
  }
  if (foreign.length === 0) return finish()
  return (async () => {
    for (const group of foreign) {
      await options.pause()
      merge.add(openApiV2(source, options.version, [group]))
    }
    await options.pause()
    return finish()
  })()
}

function isForeign({ versions }: ServedGroup): boolean {
  return versions.some(({ resources }) => resources.some(({ published }) => published))
}

/** Members of `paths` and `definitions` as text, each name once: the first one stays. */
class JsonParts {
  readonly #paths = new Map<string, string>()
  readonly #definitions = new Map<string, string>()
  #rest: Json = {}

  add({ paths, definitions, ...rest }: Json): void {
    this.#rest = rest
    keep(this.#paths, paths as Json)
    keep(this.#definitions, definitions as Json)
  }

  finish(): Uint8Array {
    const rest = JSON.stringify(this.#rest).slice(0, -1)
    return Buffer.concat([
      Buffer.from(`${rest},"paths":{`),
      Buffer.from([...this.#paths.values()].join(',')),
      Buffer.from('},"definitions":{'),
      Buffer.from([...this.#definitions.values()].join(',')),
      Buffer.from('}}'),
    ])
  }
}

function keep(into: Map<string, string>, members: Json): void {
  for (const [name, member] of Object.entries(members))
    if (!into.has(name)) into.set(name, `${JSON.stringify(name)}:${JSON.stringify(member)}`)
}

/** Messages one after the other are one message with the members of all. */
class MessageParts {
  readonly #parts: Uint8Array[] = []
  readonly #known = new Set<string>()

  add(document: Json): void {
    if (this.#parts.length === 0) {
      for (const name of Object.keys(document['definitions'] as Json)) this.#known.add(name)
      this.#parts.push(encodeDocument(messagesV2, document))
      return
    }
    const definitions = Object.entries(document['definitions'] as Json).filter(([name]) => !this.#known.has(name))
    for (const [name] of definitions) this.#known.add(name)
    const more = { paths: document['paths'], definitions: Object.fromEntries(definitions) }
    this.#parts.push(encodeDocument(messagesV2, more))
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#parts)
  }
}
