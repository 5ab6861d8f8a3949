import type { Pod } from '../../api/gen/core/v1.ts'
import { resources } from '../../api/gen/resources.ts'
import type { Client } from '../../lib/client/index.ts'
import type { ApiObject, Frozen, ResourceType } from '../../lib/object/index.ts'
import type { Kubectl } from '../support/kubectl.ts'

/** Set by `npm run node -- --all`: tests that take minutes run, too. */
export const isLong = process.env['PILOTHOUSE_NODE_LONG'] === '1'

/** Limit of one wait on a busy machine. */
const waitMsDefault = 60_000

interface Place {
  readonly namespace?: string
  readonly name: string
  /** Default: a minute. */
  readonly waitMs?: number | undefined
}

/**
 * Watches until the object is as wanted, and resolves with it; rejects with its last state after `waitMs`. Where
 * `isDeleted` is set, waits for the end of the object instead.
 */
export async function untilObject<T extends ApiObject>(
  client: Client,
  type: ResourceType<T>,
  { namespace, name, waitMs = waitMsDefault }: Place,
  isWanted: ((object: Frozen<T>) => boolean) | 'deleted',
): Promise<Frozen<T>> {
  const ended = new AbortController()
  const { promise, resolve, reject } = Promise.withResolvers<Frozen<T>>()
  let last: Frozen<T> | undefined
  const fail = (why: string): void => {
    void eventsOf(client, name).then((events) => {
      const status = last && 'status' in last ? last.status : last
      reject(new Error(`${type.kind} ${name}: ${why}; ${JSON.stringify(status)}\n${events}`))
    }, reject)
  }
  const timer = setTimeout(() => fail(`not as wanted after ${waitMs / 1000} s`), waitMs)
  const options = { namespace, fieldSelector: `metadata.name=${name}`, signal: ended.signal, sendInitialEvents: true }
  const watch = client.resource(type).watch(
    { ...options, resourceVersionMatch: 'NotOlderThan' },
    {
      onEvents(events) {
        for (const event of events) {
          if (event.type === 'BOOKMARK') {
            // The object does not exist at the end of the initial events.
            if (isWanted === 'deleted' && !last) resolve(event.object as never)
            continue
          }
          last = event.object
          if (isWanted === 'deleted' ? event.type === 'DELETED' : event.type !== 'DELETED' && isWanted(event.object))
            resolve(event.object)
        }
      },
      onEnd: (error) => fail(`the watch has ended: ${error}`),
    },
  )
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await watch.close()
  }
}

const { events, pods } = resources.core.v1

/** A line an event. */
async function eventsOf(client: Client, name: string): Promise<string> {
  const { items } = await client.resource(events).list({ fieldSelector: `involvedObject.name=${name}` })
  return items.map(({ reason, message }) => `${reason}: ${message}`).join('\n')
}

export async function untilPod(
  client: Client,
  name: string,
  isWanted: ((pod: Frozen<Pod>) => boolean) | 'deleted',
  namespace = 'default',
): Promise<Frozen<Pod>> {
  return await untilObject(client, pods, { namespace, name }, isWanted)
}

export function isPodReady({ status }: Frozen<Pod>): boolean {
  return status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
}

export function isOver({ status }: Frozen<Pod>): boolean {
  return status.phase === 'Succeeded' || status.phase === 'Failed'
}

/** Waits until what a pod's only container has written matches. */
export async function untilLogs(
  { kubectl }: { readonly kubectl: Kubectl },
  pod: string,
  wanted: RegExp,
): Promise<void> {
  await kubectl(['logs', '-f', pod], { isEnough: (text) => wanted.test(text) })
}

/** Creates the object. What an earlier try of the test left under its name is deleted first. */
export async function createOver<T extends ApiObject>(
  client: Client,
  type: ResourceType<T>,
  object: Frozen<T>,
): Promise<Frozen<T>> {
  const { namespace, name = '' } = object.metadata
  const at = namespace === undefined ? { name } : { namespace, name }
  const of = client.resource(type)
  await of.delete(at, { gracePeriodSeconds: 0 }).catch(() => {})
  // A whole object can be submitted, which the compiler does not see for every T.
  return await of.create(object as Parameters<typeof of.create>[0])
}
