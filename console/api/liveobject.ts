import { type ReadonlySignal, signal } from '@preact/signals'
import { parseTrimmed } from '../state/trimmedjson.ts'
import { type ApiObject, metadataOf } from '../state/values.ts'
import { pauseBeforeRetry, whileOnline } from './connection.ts'
import { collectionPath, type Kind, objectPath, text } from './kinds.ts'
import { readLines } from './lines.ts'
import { ApiError, isRecord, request } from './session.ts'

export { type ApiObject, fieldOf, metadataOf } from '../state/values.ts'

export interface LiveObject {
  /** Undefined until it is read. */
  readonly object: ApiObject | undefined
  readonly problem: ApiError | undefined
  readonly isGone: boolean
}

const retryMs = 2000

/** The object as it changes, until `closing`. */
export function followObject(
  kind: Kind,
  namespace: string,
  name: string,
  closing: AbortSignal,
): ReadonlySignal<LiveObject> {
  const live = signal<LiveObject>({ object: undefined, problem: undefined, isGone: false })
  const follow = async (): Promise<void> => {
    while (!closing.aborted && !live.value.isGone) {
      try {
        const answer = await request(objectPath(kind, namespace, name), { signal: closing })
        const object = objectOf(await answer.text())
        live.value = { object, problem: undefined, isGone: false }
        await whileOnline(closing, async (until) => await watch(kind, namespace, name, until, live))
      } catch (error) {
        if (closing.aborted) return
        const problem = error instanceof ApiError ? error : new ApiError(0, 'Broken', 'the answer broke off')
        live.value = { ...live.value, problem, isGone: problem.code === 404 }
      }
      await pauseBeforeRetry(retryMs, closing)
    }
  }
  void follow()
  return live
}

async function watch(
  kind: Kind,
  namespace: string,
  name: string,
  closing: AbortSignal,
  live: { value: LiveObject },
): Promise<void> {
  if (!kind.verbs.has('watch')) return
  const query = new URLSearchParams({
    watch: 'true',
    fieldSelector: `metadata.name=${name}`,
    resourceVersion: text(metadataOf(live.value.object)['resourceVersion']),
  })
  const { body } = await request(`${collectionPath(kind, namespace)}?${query}`, { signal: closing })
  if (body === null) return
  for await (const lines of readLines(body))
    for (const line of lines) {
      const event = parseTrimmed(line)
      if (!isRecord(event) || !isRecord(event['object'])) continue
      if (event['type'] === 'ERROR') return
      live.value = { object: event['object'], problem: undefined, isGone: event['type'] === 'DELETED' }
    }
}

function objectOf(text: string): ApiObject {
  const object = parseTrimmed(text)
  return isRecord(object) ? object : {}
}
