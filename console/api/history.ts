import { pauseForPage } from '../state/pauseforpage.ts'
import { parseTrimmed } from '../state/trimmedjson.ts'
import { itemOfList } from '../state/yamlitem.ts'
import { withoutManagedFields } from '../state/yamltext.ts'
import { collectionPath, type Kind, records, text } from './kinds.ts'
import { metadataOf } from './liveobject.ts'
import { ApiError, isRecord, request } from './session.ts'

/** A past state of an object. */
export interface PastState {
  readonly resourceVersion: string
  readonly yaml: string
  /** The manager that wrote this state, and when, as far as its managed fields name them. */
  readonly by: string
  readonly at: string
}

const statesMax = 50

/**
 * The states of the object from the newest to the oldest that the store still holds: each is the list at the revision
 * just before the state that followed it.
 */
export async function* readHistory(
  kind: Kind,
  namespace: string,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<PastState> {
  let at = ''
  for (let count = 0; count < statesMax; count++) {
    const state = await stateAt(kind, namespace, name, at, signal)
    if (state === undefined) return
    yield state
    const before = BigInt(state.resourceVersion) - 1n
    if (before < 1n) return
    at = String(before)
  }
}

async function stateAt(
  kind: Kind,
  namespace: string,
  name: string,
  revision: string,
  signal: AbortSignal,
): Promise<PastState | undefined> {
  const query = new URLSearchParams({ fieldSelector: `metadata.name=${name}` })
  if (revision !== '') {
    query.set('resourceVersion', revision)
    query.set('resourceVersionMatch', 'Exact')
  }
  const path = `${collectionPath(kind, namespace)}?${query}`
  try {
    const list = parseTrimmed(await (await request(path, { signal })).text())
    const [item] = records(isRecord(list) ? list['items'] : undefined)
    if (item === undefined) return undefined
    const entries = records(metadataOf(item)['managedFields'])
    const latest = entries.toSorted((a, b) => text(a['time']).localeCompare(text(b['time']))).at(-1) ?? {}
    const listed = await (await request(path, { accept: 'application/yaml', signal })).text()
    await pauseForPage()
    const yaml = itemOfList(listed)
    await pauseForPage()
    return {
      resourceVersion: text(metadataOf(item)['resourceVersion']),
      yaml: withoutManagedFields(yaml),
      by: text(latest['manager']),
      at: text(latest['time']),
    }
  } catch (error) {
    // 410: compacted.
    if (error instanceof ApiError && (error.code === 410 || error.code === 400)) return undefined
    throw error
  }
}
