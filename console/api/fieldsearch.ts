import { type FieldText, fieldWith } from '../state/fieldtext.ts'
import { collectionPath, type Kind, records, text } from './kinds.ts'
import { readLimited } from './lines.ts'
import { ApiError, isRecord, request } from './session.ts'

/** An object whose field holds the wanted text. */
export interface FieldMatch {
  readonly kind: Kind
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly field: FieldText
}

/** Objects of a kind that are read, a page at a time; a page that is longer is not read. */
const perKindMax = 500
const pageSize = 100
const pageCharactersMax = 4 * 1024 * 1024
const matchesMax = 200
const atOnce = 2

interface FieldSearchOptions {
  readonly signal: AbortSignal
  /** Gets each kind that was not read as a whole. */
  partly(kind: Kind): void
}

/** The first objects of these kinds with the text in a field. Kinds that the user may not list are left out. */
export async function searchFields(
  kinds: readonly Kind[],
  namespace: string,
  wanted: string,
  options: FieldSearchOptions,
): Promise<FieldMatch[]> {
  const waiting = kinds.filter((kind) => kind.namespaced || namespace === '')
  const found: FieldMatch[] = []
  const work = async (): Promise<void> => {
    for (let kind = waiting.shift(); kind !== undefined && found.length < matchesMax; kind = waiting.shift())
      for await (const match of searchKind(kind, namespace, wanted, options)) found.push(match)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return found.slice(0, matchesMax)
}

async function* searchKind(
  kind: Kind,
  namespace: string,
  wanted: string,
  { signal, partly }: FieldSearchOptions,
): AsyncGenerator<FieldMatch> {
  let token = ''
  for (let read = 0; read < perKindMax; read += pageSize) {
    const list = await readPage(kind, namespace, token, signal)
    if (list === undefined) return
    if (list === 'too long') break
    for (const item of records(list['items'])) {
      const metadata = isRecord(item['metadata']) ? item['metadata'] : {}
      const field = fieldWith(item, wanted)
      const [name, home, uid] = [metadata['name'], metadata['namespace'], metadata['uid']].map(text)
      if (field) yield { kind, name: name ?? '', namespace: home ?? '', uid: uid ?? '', field }
    }
    token = isRecord(list['metadata']) ? text(list['metadata']['continue']) : ''
    if (token === '') return
  }
  partly(kind)
}

/** Undefined where the user may not list the kind. */
async function readPage(
  kind: Kind,
  namespace: string,
  token: string,
  signal: AbortSignal,
): Promise<Record<string, unknown> | 'too long' | undefined> {
  const query = new URLSearchParams({ limit: String(pageSize), ...(token !== '' && { continue: token }) })
  try {
    const answer = await request(`${collectionPath(kind, namespace)}?${query}`, { signal })
    const list: unknown = JSON.parse(await readLimited(answer, pageCharactersMax))
    return isRecord(list) ? list : undefined
  } catch (error) {
    return error instanceof ApiError ? undefined : 'too long'
  }
}
