import {
  type Clock,
  type Closable,
  createSeededRandom,
  type Logger,
  type Metrics,
  type Random,
} from '../../base/index.ts'
import { createLoopbackTransport, type LocalApi, type Transport, withRetryAfter } from '../../client/index.ts'
import { type ControllerDefinition, defaultControllerSettings, startControllers } from '../../controller/index.ts'
import type { StageSource } from '../../hollownode/index.ts'
import type { Authority } from '../../pki/index.ts'
import { authenticatedGroup, mastersGroup, nodesGroup, type UserInfo } from '../../request/index.ts'

interface LocalNodesOptions {
  /** Hollow nodes to run. */
  readonly count: number
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
  /** Registers the nodes again after all objects were deleted. */
  restore(): Promise<void>
  close(): Promise<void>
}

type Services = { readonly clock: Clock; readonly random: Random; readonly log: Logger; readonly metrics: Metrics }

/** Hollow nodes and a scheduler in the process of their API server; each asks as its own user, without a socket. */
export async function startLocalNodes(
  api: LocalApi,
  services: Services,
  { count, authority, version, schedules, stages, seed, gate }: LocalNodesOptions,
): Promise<LocalNodes> {
  // Only who wants them loads them.
  const [{ createHollowNodes }, { createScheduler }] = await Promise.all([
    import('../../hollownode/index.ts'),
    import('../../scheduler/index.ts'),
  ])
  const connectAs = (user: UserInfo, userAgent: string): Transport =>
    withRetryAfter(createLoopbackTransport(api, { user, userAgent }), services)
  const connect = (account: string): Transport =>
    account === ''
      ? connectAs(userOf('system:hollow-nodes', mastersGroup), 'kubelet')
      : connectAs(userOf('system:kube-scheduler'), account)
  const nodes = createHollowNodes({
    count,
    authority,
    version,
    stages,
    seed,
    connect: (node) => connectAs(userOf(`system:node:${node}`, nodesGroup), 'kubelet'),
  })
  const random = seed === undefined ? {} : { random: createSeededRandom(seed) }
  const definitions: ControllerDefinition[] = schedules
    ? [createScheduler(random), nodes.definition]
    : [nodes.definition]
  const manager = await startControllers(
    { ...services, log: services.log.named('nodes'), connect, gate },
    definitions,
    {
      settings: defaultControllerSettings,
    },
  )
  return { close: () => manager.close(), restore: nodes.restore }
}

function userOf(name: string, ...groups: readonly string[]): UserInfo {
  return { name, uid: '', groups: [...groups, authenticatedGroup], extra: {} }
}
