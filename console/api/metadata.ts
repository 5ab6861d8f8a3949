import { collectionPath, type Kind, records, text } from './kinds.ts'
import { isRecord, readJson } from './session.ts'

/** The metadata of an object, and its kind. */
export interface Named {
  readonly kind: Kind
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly metadata: Record<string, unknown>
}

const listType = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
const pageSize = 500
const atOnce = 6

/**
 * The metadata of all objects of these kinds in the namespace, at most `perKindMax` of each; `partly` gets each kind that has
 * more. Kinds that the user may not list are left out.
 */
export async function readMetadata(
  kinds: readonly Kind[],
  namespace: string,
  {
    perKindMax = pageSize,
    partly,
    signal,
  }: { readonly perKindMax?: number; readonly partly?: (kind: Kind) => void; readonly signal: AbortSignal },
): Promise<Named[]> {
  const waiting = [...kinds]
  const found: Named[] = []
  const work = async (): Promise<void> => {
    for (let kind = waiting.shift(); kind !== undefined; kind = waiting.shift())
      found.push(...(await readKind(kind, namespace, { limit: perKindMax, partly, signal }).catch(() => [])))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return found
}

interface ReadKindOptions {
  readonly limit: number
  readonly partly: ((kind: Kind) => void) | undefined
  readonly signal: AbortSignal
}

async function readKind(kind: Kind, namespace: string, { limit, partly, signal }: ReadKindOptions): Promise<Named[]> {
  const list = await readJson(`${collectionPath(kind, namespace)}?limit=${limit}`, { accept: listType, signal })
  if (isRecord(list['metadata']) && text(list['metadata']['continue']) !== '') partly?.(kind)
  return records(list['items']).flatMap((item) => {
    const { metadata } = item
    if (!isRecord(metadata)) return []
    return {
      kind,
      name: text(metadata['name']),
      namespace: text(metadata['namespace']),
      uid: text(metadata['uid']),
      metadata,
    }
  })
}
