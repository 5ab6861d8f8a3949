import {
  type Clock,
  type Closable,
  createSeededRandom,
  type Logger,
  type Metrics,
  type Random,
} from '../../base/index.ts'
import {
  createClient,
  createLoopbackTransport,
  type LocalApi,
  type Transport,
  withRetryAfter,
} from '../../client/index.ts'
import {
  type ControllerDefinition,
  type ControllerFailure,
  defaultControllerSettings,
  type Manager,
  startControllers,
} from '../../controller/index.ts'
import type { StageSource } from '../../hollownode/index.ts'
import type { Authority } from '../../pki/index.ts'
import { authenticatedGroup, mastersGroup, nodesGroup, type UserInfo } from '../../request/index.ts'
import { StartError } from './failure.ts'
import { rivalOf } from './leaserivals.ts'
import { type LeadingPart, whileLeading } from './whileleading.ts'

interface LocalNodesOptions {
  /** Hollow nodes to run. */
  readonly count: number
  /** Nodes are called `<prefix>-0`, `<prefix>-1` and so on. Default `hollow`. */
  readonly prefix?: string | undefined
  /**
   * The identity of this process in leader elections, by which only one process schedules, and only one serves nodes of a
   * prefix. Undefined: the store is this process's alone, and needs no election.
   */
  readonly identity?: string | undefined
  /** The setting of the prefix, for messages: `--node-name-prefix`. */
  readonly prefixSetting: string
  /** Signs the certificates of the kubelets' API and of its clients. */
  readonly authority: Authority
  /** The version that the nodes report: `v1.33.0`. */
  readonly version: string
  /** False: another scheduler gives pods to nodes. */
  readonly schedules: boolean
  /** Courses of pods and nodes beside the built-in one. */
  readonly stages?: StageSource | undefined
  /** The same seed chooses the same nodes and stages. */
  readonly seed?: number | undefined
  gate(name: string): boolean
}

/** Hollow nodes that run. */
export interface LocalNodes extends Closable {
  /** The latest failures of the nodes and of the scheduler, while this process serves them. */
  failures(): readonly ControllerFailure[]
  /** Registers the nodes again after all objects were deleted. */
  restore(): Promise<void>
  close(): Promise<void>
}

const namespace = 'kube-system'
const schedulerLease = 'kube-scheduler'
/** A wait for the lease is logged after this time. */
const slowMs = 1000

type Services = { readonly clock: Clock; readonly random: Random; readonly log: Logger; readonly metrics: Metrics }

/**
 * Hollow nodes and a scheduler in the process of their API server; each asks as its own user, without a socket. Rejects
 * with StartError where another process serves nodes of these names.
 */
export async function startLocalNodes(
  api: LocalApi,
  services: Services,
  { count, prefix = 'hollow', identity, prefixSetting, schedules, seed, gate, ...options }: LocalNodesOptions,
): Promise<LocalNodes> {
  // Only who wants them loads them.
  const [{ createHollowNodes }, { createScheduler }] = await Promise.all([
    import('../../hollownode/index.ts'),
    import('../../scheduler/index.ts'),
  ])
  const connectAs = (user: UserInfo, userAgent: string): Transport =>
    withRetryAfter(createLoopbackTransport(api, { user, userAgent, managedFields: false }), services)
  const connect = (account: string): Transport =>
    account === ''
      ? connectAs(userOf('system:hollow-nodes', mastersGroup), 'kubelet')
      : connectAs(userOf('system:kube-scheduler'), account)
  const nodes = createHollowNodes({
    count,
    prefix,
    seed,
    ...options,
    connect: (node) => connectAs(userOf(`system:node:${node}`, nodesGroup), 'kubelet'),
  })
  const managers = new Set<Manager>()
  const failures = (): readonly ControllerFailure[] => [...managers].flatMap((manager) => manager.failures())
  async function startAll(...definitions: ControllerDefinition[]): Promise<{ close(): Promise<void> }> {
    const log = services.log.named('nodes')
    const settings = defaultControllerSettings
    const manager = await startControllers({ ...services, log, connect, gate }, definitions, { settings })
    managers.add(manager)
    return {
      async close() {
        managers.delete(manager)
        await manager.close()
      },
    }
  }
  const scheduler = createScheduler(seed === undefined ? {} : { random: createSeededRandom(seed) })
  if (identity === undefined) {
    // They share their informers.
    const manager = await startAll(...(schedules ? [scheduler] : []), nodes.definition)
    return { close: () => manager.close(), failures, restore: nodes.restore }
  }
  const lead = (name: string, component: string, definition: ControllerDefinition): LeadingPart =>
    whileLeading(
      services,
      { election: { namespace, name, identity }, component, transport: connect(definition.account) },
      async () => await startAll(definition),
    )
  const lease = `hollow-nodes-${prefix}`
  const serving = lead(lease, 'kubelet', nodes.definition)
  try {
    await untilServing(serving, { ...services, transport: connect('') }, { lease, identity, prefix, prefixSetting })
  } catch (error) {
    await serving.close()
    throw error
  }
  const scheduling = schedules ? lead(schedulerLease, schedulerLease, scheduler) : undefined
  return {
    async close() {
      await Promise.all([serving.close(), scheduling?.close()])
    },
    failures,
    restore: nodes.restore,
  }
}

interface Names {
  readonly lease: string
  readonly identity: string
  readonly prefix: string
  readonly prefixSetting: string
}

/** Waits for the lease where its holder seems dead. Rejects with StartError where its holder renews it. */
async function untilServing(
  { started }: LeadingPart,
  { clock, log, transport }: Services & { readonly transport: Transport },
  { lease, identity, prefix, prefixSetting }: Names,
): Promise<void> {
  const client = createClient(transport)
  const over = new AbortController()
  const rival = rivalOf({ clock, client }, { namespace, name: lease }, identity, over.signal)
  // Its end is of no interest once the nodes are served.
  rival.catch(() => {})
  const slow = clock.after(slowMs, () =>
    log.info('waiting for the lease of the hollow nodes, which another process holds or held', { lease }),
  )
  try {
    const holder = await Promise.race([started.then(() => undefined), rival])
    if (holder !== undefined)
      throw new StartError(
        `nodes named ${prefix}-0 and so on are served by another process, ${holder}: ${prefixSetting} gives these other names`,
      )
  } finally {
    void slow.close()
    over.abort(new Error('the wait is over'))
    await client.close()
  }
}

function userOf(name: string, ...groups: readonly string[]): UserInfo {
  return { name, uid: '', groups: [...groups, authenticatedGroup], extra: {} }
}
