import { selectorText } from '../state/selectortext.ts'
import { collectionPath, findKind, objectPath, records, text } from './kinds.ts'
import { readLines } from './lines.ts'
import { fieldOf } from './liveobject.ts'
import { readJson, request } from './session.ts'

/** One container of a pod. */
export interface LogSource {
  readonly namespace: string
  readonly pod: string
  readonly container: string
}

interface LogOptions {
  readonly tailLines: number
  readonly follow: boolean
  readonly previous: boolean
  readonly signal: AbortSignal
}

/** The lines of a container's log as they come. Throws ApiError. */
export async function* readLog(
  { namespace, pod, container }: LogSource,
  { tailLines, follow, previous, signal }: LogOptions,
): AsyncGenerator<readonly string[]> {
  const kind = findKind('', 'pods')
  if (!kind) return
  const query = new URLSearchParams({
    container,
    tailLines: String(tailLines),
    follow: String(follow),
    previous: String(previous),
  })
  const { body } = await request(`${objectPath(kind, namespace, pod)}/log?${query}`, { accept: '*/*', signal })
  if (body !== null) yield* readLines(body)
}

/** The containers of the pods that the selector of a workload chooses, at most `max`. */
export async function findLogSources(selector: unknown, namespace: string, max: number): Promise<LogSource[]> {
  const kind = findKind('', 'pods')
  const labels = selectorText(selector)
  if (!kind || labels === '') return []
  const query = new URLSearchParams({ labelSelector: labels, limit: String(max) })
  const pods = records((await readJson(`${collectionPath(kind, namespace)}?${query}`))['items'])
  const sources = pods.flatMap((pod) =>
    records(fieldOf(pod, 'spec', 'containers')).map((container) => ({
      namespace,
      pod: text(fieldOf(pod, 'metadata', 'name')),
      container: text(container['name']),
    })),
  )
  return sources.slice(0, max)
}
