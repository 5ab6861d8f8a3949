import { signal } from '@preact/signals'
import {
  type Consents,
  type DrainedPod,
  type DrainProgress,
  isLeft,
  type Step,
  toDrainedPod,
} from '../state/drainplan.ts'
import type { Drain } from '../state/drains.ts'
import { fieldOf, records, text } from '../state/values.ts'
import { explain } from '../text.ts'
import { pauseBeforeRetry } from './connection.ts'
import { readList } from './lists.ts'
import { ApiError, request, session } from './session.ts'

/** Evictions at once. */
const workers = 5
const lookEveryMs = 2000
/** A budget that refused may allow it once other pods are ready. */
const retryMs = 5000
const podsMax = 500

/** The pods on a node, at most 500. Throws ApiError. */
export async function podsOn(node: string, signal: AbortSignal): Promise<DrainedPod[]> {
  const found = await readList('', 'pods', { fieldSelector: `spec.nodeName=${node}`, limit: podsMax, signal })
  return found.map(toDrainedPod)
}

/**
 * Cordons a node and evicts its pods, as the user who is signed in now, until none is there but those that are left. Stops
 * where another user takes over.
 */
export function startDrain(node: string, path: string, consents: Consents): Drain {
  const closing = new AbortController()
  const progress = signal<DrainProgress>({ phase: 'runs', problem: '', pods: [] })
  const { value: user } = session
  const steps = new Map<string, { readonly pod: DrainedPod; readonly step: Step; readonly dueMs: number }>()

  function mark(pod: DrainedPod, step: Step, dueMs = 0): void {
    steps.set(pod.uid, { pod, step, dueMs })
    progress.value = { ...progress.value, pods: [...steps.values()] }
  }

  function end(phase: DrainProgress['phase'], problem = ''): void {
    if (progress.value.phase === 'runs') progress.value = { ...progress.value, phase, problem }
    closing.abort()
  }

  /** Requests are those of the user who started the drain, and of no later one. */
  function check(): void {
    if (session.value?.id !== user?.id || session.value?.seenAs !== user?.seenAs) end('stopped')
    closing.signal.throwIfAborted()
  }

  async function send(to: string, method: string, body: object, contentType?: string): Promise<void> {
    check()
    await request(to, {
      method,
      body: JSON.stringify(body),
      ...(contentType !== undefined && { contentType }),
      signal: closing.signal,
    })
  }

  async function look(): Promise<void> {
    check()
    const there = await podsOn(node, closing.signal)
    const uids = new Set(there.map(({ uid }) => uid))
    for (const { pod } of steps.values()) if (!uids.has(pod.uid)) mark(pod, { step: 'gone' })
    for (const pod of there) if (!steps.has(pod.uid)) mark(pod, { step: isLeft(pod, consents) ? 'left' : 'waits' })
  }

  async function evict(pod: DrainedPod, tries: number): Promise<void> {
    const { namespace, name, uid } = pod
    const eviction = {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { namespace, name },
      // No later pod of the same name.
      deleteOptions: { preconditions: { uid } },
    }
    const home = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`
    try {
      await send(`${home}/eviction`, 'POST', eviction)
      mark(pod, { step: 'ends' })
    } catch (error) {
      if (closing.signal.aborted) return
      const problem = error instanceof ApiError ? error : new ApiError(0, '', String(error))
      if (problem.code === 404 || problem.code === 409) mark(pod, { step: 'gone' })
      else if (problem.code === 429 || problem.code === 0 || problem.code >= 500)
        mark(pod, { step: 'refused', message: reasonOf(problem), tries: tries + 1 }, Date.now() + retryMs)
      else mark(pod, { step: 'failed', message: explain(problem.code, problem.message) })
    }
  }

  /** One pass over the pods whose turn it is. */
  async function evictSome(): Promise<void> {
    const due = [...steps.values()].filter(
      ({ step, dueMs }) => (step.step === 'waits' || step.step === 'refused') && dueMs <= Date.now(),
    )
    const work = async (): Promise<void> => {
      for (let next = due.shift(); next && !closing.signal.aborted; next = due.shift())
        await evict(next.pod, next.step.step === 'refused' ? next.step.tries : 0)
    }
    await Promise.all(Array.from({ length: workers }, work))
  }

  const isUnfinished = (): boolean =>
    [...steps.values()].some(({ step: { step } }) => step === 'waits' || step === 'ends' || step === 'refused')

  async function run(): Promise<void> {
    try {
      const cordon = { spec: { unschedulable: true } }
      await send(`${path}?fieldManager=pilothouse-console`, 'PATCH', cordon, 'application/merge-patch+json')
      await look()
      while (isUnfinished()) {
        await evictSome()
        await pauseBeforeRetry(lookEveryMs, closing.signal)
        await look().catch((error: unknown) => {
          // The network may come back; a right does not.
          if (error instanceof ApiError && (error.code === 401 || error.code === 403)) throw error
        })
        closing.signal.throwIfAborted()
      }
      end('done')
    } catch (error) {
      end('failed', error instanceof ApiError ? explain(error.code, error.message) : String(error))
    }
  }

  void run()
  return { progress, stop: () => end('stopped') }
}

/** The server's message, and the budgets that it names. */
function reasonOf({ message, status }: ApiError): string {
  const causes = records(fieldOf(status, 'details', 'causes')).map((cause) => text(cause['message']))
  return [message, ...causes].filter(Boolean).join(' ')
}
