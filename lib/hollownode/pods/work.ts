import type { PersistentVolumeClaim, Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import {
  type ControllerContext,
  type Informer,
  isConflict,
  isNotFound,
  joinKey,
  keyOf,
  type TurnResult,
  type WorkQueue,
} from '../../controller/index.ts'
import { deepEqual, type Frozen } from '../../object/index.ts'
import type { PodAddresses } from '../node/addresses.ts'
import { type Agent, isLost } from '../node/agents.ts'
import { laidOver } from '../stages/overlay.ts'
import type { Advance } from './advance.ts'
import { HollowPod } from './hollowpod.ts'
import { lookUp, needsLookup } from './lookup.ts'
import { reportOf } from './status.ts'

/** ConfigMaps and Secrets that are missing are looked for again after this time. */
const lookAgainMs = 1000
const workers = 32

interface Dependencies {
  readonly context: ControllerContext
  readonly informers: {
    readonly pods: Informer<Pod>
    readonly nodes: Parameters<typeof isLost>[1]['nodes']
    readonly claims: Informer<PersistentVolumeClaim>
  }
  readonly agents: ReadonlyMap<string, Agent>
  readonly addresses: PodAddresses
  readonly hostIp: string
}

/** The pods of all nodes of this process, by `namespace/name`. */
export interface PodWork {
  readonly known: ReadonlyMap<string, HollowPod>
  readonly queue: WorkQueue
  /** Lays a part of a status over the one that the node reports of the pod, from now on. */
  layOver(key: string, status: Readonly<Record<string, unknown>>): void
  close(): void
}

/** Works on the pods that are bound to the nodes of this process. */
export function workOnPods(dependencies: Dependencies): PodWork {
  const { context, informers, agents, addresses, hostIp } = dependencies
  const { clock, events } = context
  const known = new Map<string, HollowPod>()
  /** Pods that wait for claims, by the claim's key. */
  const waiting = new Map<string, Set<string>>()

  const queue = context.reconcile({ name: 'hollow-pods', workers, turn: async (key) => await turn(key) })

  function forget(key: string): void {
    const hollow = known.get(key)
    if (!hollow) return
    hollow.close()
    addresses.release(hollow.record.podIp)
    known.delete(key)
  }

  function knownPod(key: string, pod: Frozen<Pod>, client: Client): HollowPod {
    const before = known.get(key)
    if (before?.uid === pod.metadata.uid && before !== undefined) return before
    forget(key)
    const { podIP = '' } = pod.status
    if (podIP !== '') addresses.keep(podIP)
    const podIp = podIP === '' ? addresses.take() : podIP
    const hollow = new HollowPod({ clock, client }, pod, podIp, {
      changed: () => queue.add(key),
      event: (type, reason, message) => events.event(pod, type, reason, message),
    })
    known.set(key, hollow)
    return hollow
  }

  async function turn(key: string): Promise<TurnResult | void> {
    const pod = informers.pods.get(key)
    const agent = agents.get(pod?.spec.nodeName ?? '')
    if (!pod || !agent) return forget(key)
    if (isLost(agent, informers)) return
    const hollow = knownPod(key, pod, agent.client)
    hollow.pod = newest(pod, hollow.sent?.answer)
    reportProblems(hollow)
    const blocked = await whyBlocked(key, hollow, agent.client)
    const after = hollow.advance(blocked)
    record(hollow, after)
    const report = reportOf(
      { pod: hollow.pod, record: after.record, behaviour: hollow.behaviour, blocked, nowMs: clock.now() },
      after,
      hostIp,
    )
    // A stage may lay any field over the status; the server validates it.
    const status = hollow.overlay ? (laidOver(report.status, hollow.overlay) as Pod['status']) : report.status
    const isThere = await send(hollow, status, agent.client)
    if (isThere && after.isOver) await remove(hollow, agent.client)
    const again = [after.againAtMs, report.againAtMs].filter((each) => each !== undefined)
    if (hollow.looked?.missing !== undefined) again.push(clock.now() + lookAgainMs)
    if (again.length > 0) return { againAfterMs: Math.max(1, Math.min(...again) - clock.now()) }
  }

  function reportProblems(hollow: HollowPod): void {
    const text = hollow.behaviour.problems.join('; ')
    if (text !== '' && text !== hollow.reportedProblems) events.event(hollow.pod, 'Warning', 'BadAnnotation', text)
    hollow.reportedProblems = text
  }

  /** Why the containers can't start: claims that are not bound, and missing ConfigMaps and Secrets. */
  async function whyBlocked(key: string, hollow: HollowPod, client: Client): Promise<string | undefined> {
    const {
      pod,
      record: { containers },
    } = hollow
    if (containers.size > 0 || pod.metadata.deletionTimestamp !== undefined) return undefined
    for (const name of claimsOf(pod)) {
      const claimKey = joinKey(pod.metadata.namespace ?? '', name)
      const claim = informers.claims.get(claimKey)
      if (claim?.status.phase === 'Bound') continue
      const waiters = waiting.get(claimKey) ?? new Set()
      waiting.set(claimKey, waiters.add(key))
      return claim ? `persistentvolumeclaim "${name}" is not bound` : `persistentvolumeclaim "${name}" not found`
    }
    if (!needsLookup(pod)) return undefined
    const before = hollow.looked?.missing
    hollow.looked = await lookUp(pod, client)
    const { missing } = hollow.looked
    if (missing !== undefined && missing !== before) events.event(pod, 'Warning', 'FailedMount', missing)
    return missing
  }

  function record(hollow: HollowPod, { started, backingOff, isOver }: Advance): void {
    const { pod } = hollow
    for (const name of started) events.event(pod, 'Normal', 'Started', `Started container ${name}`)
    for (const name of backingOff.keys())
      if (hollow.isNewBackoff(name))
        events.event(
          pod,
          'Warning',
          'BackOff',
          `Back-off restarting failed container ${name} in pod ${pod.metadata.name ?? ''}`,
        )
    if (isOver)
      for (const { name } of pod.spec.containers ?? [])
        events.event(pod, 'Normal', 'Killing', `Stopping container ${name}`)
  }

  /** Pods of other processes have addresses of the same network. */
  function keepAddress({ status }: Frozen<Pod>, deleted: boolean): void {
    const { podIP = '' } = status
    if (podIP !== '' && deleted) addresses.release(podIP)
    else if (podIP !== '') addresses.keep(podIP)
  }

  informers.pods.subscribe(({ object, deleted }) => {
    if (!agents.has(object.spec.nodeName ?? '')) return keepAddress(object, deleted)
    const key = keyOf(object)
    if (deleted) return forget(key)
    const { sent } = known.get(key) ?? {}
    // An echo of the node's own write.
    if (sent?.answer.metadata.resourceVersion !== object.metadata.resourceVersion) queue.add(key)
  })
  informers.claims.subscribe(({ object }) => {
    const key = keyOf(object)
    for (const pod of waiting.get(key) ?? []) queue.add(pod)
    if (object.status.phase === 'Bound') waiting.delete(key)
  })
  informers.nodes.subscribe(({ object: { metadata }, before }) => {
    const { name = '', annotations } = metadata
    if (!agents.has(name) || before === undefined || deepEqual(before.metadata.annotations, annotations)) return
    for (const pod of informers.pods.all()) if (pod.spec.nodeName === name) queue.add(keyOf(pod))
  })
  return {
    known,
    queue,
    layOver(key, status) {
      const hollow = known.get(key)
      if (!hollow) return
      hollow.overlay = laidOver(hollow.overlay ?? {}, status)
      queue.add(key)
    },
    close() {
      for (const key of known.keys()) forget(key)
    },
  }
}

function claimsOf({ metadata, spec }: Frozen<Pod>): string[] {
  return (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) =>
    persistentVolumeClaim?.claimName
      ? [persistentVolumeClaim.claimName]
      : ephemeral
        ? [`${metadata.name ?? ''}-${name}`]
        : [],
  )
}

/** Whichever is later of what the informer shows and what the last write answered. */
function newest(shown: Frozen<Pod>, answer: Frozen<Pod> | undefined): Frozen<Pod> {
  if (answer === undefined || answer.metadata.uid !== shown.metadata.uid) return shown
  return Number(answer.metadata.resourceVersion) > Number(shown.metadata.resourceVersion) ? answer : shown
}

/** Writes the status where it is not the one that the server holds; false: the pod is gone. */
async function send(hollow: HollowPod, status: Pod['status'], client: Client): Promise<boolean> {
  const { pod, sent } = hollow
  const text = JSON.stringify(status)
  if (sent?.text === text && deepEqual(sent.answer.status, pod.status)) return true
  try {
    const answer = await client.resource(resources.core.v1.pods).updateStatus({ ...pod, status: merged(pod, status) })
    hollow.sent = { text, answer }
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

/** The node's status, with the conditions and fields of others. */
function merged({ status: { reason: _, message: __, ...before } }: Frozen<Pod>, status: Pod['status']): Pod['status'] {
  const own = new Set(status.conditions?.map(({ type }) => type))
  const others = (before.conditions ?? []).filter(({ type }) => !own.has(type))
  // Objects of the informer are not changed.
  return { ...(before as Pod['status']), ...status, conditions: [...others, ...(status.conditions ?? [])] }
}

async function remove({ pod: { metadata }, uid }: HollowPod, client: Client): Promise<void> {
  try {
    await client.resource(resources.core.v1.pods).delete(metadata, { gracePeriodSeconds: 0, uid })
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error
  }
}
