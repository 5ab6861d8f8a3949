import type { StatefulSet } from '../../../api/gen/apps/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { controllerOf } from '../../../lib/controller/index.ts'
import type { ApiObject, Frozen, ResourceType } from '../../../lib/object/index.ts'
import { fate, quietly } from './nodes.ts'
import * as objects from './objects.ts'
import * as autoscaling from './user/autoscaling.ts'
import * as cluster from './user/cluster.ts'
import { Hand, type HandDependencies } from './user/hand.ts'
import * as kinds from './user/kinds.ts'
import * as secrets from './user/secrets.ts'
import * as workloads from './user/workloads.ts'

const { core } = resources

export const themes = [
  'deployments',
  'replicas',
  'statefulsets',
  'daemonsets',
  'jobs',
  'cronjobs',
  'owners',
  'budgets',
  'services',
  'quotas',
  'nodes',
  'namespaces',
  'pods',
  'secrets',
  'autoscaling',
] as const
export type Theme = (typeof themes)[number]

/** Resolves with whether there was anything to do it to. */
type Act = () => Promise<boolean>

/** A user who finds nothing to do it to does something else. */
const triesMax = 8

/** Somebody who makes, changes and deletes what controllers look after, of some kinds. */
export class User {
  readonly #hand: Hand
  readonly #acts: readonly Act[]

  constructor(dependencies: HandDependencies, prefix: string, chosen: readonly Theme[]) {
    const hand = new Hand(dependencies, prefix)
    this.#hand = hand
    const byTheme: Record<Theme, readonly Act[]> = {
      deployments: [
        () => workloads.deploy(hand),
        () => workloads.rollOut(hand),
        () => workloads.scale(hand, kinds.deployments),
        () => workloads.pause(hand),
        () => workloads.deleteOne(hand, kinds.deployments),
      ],
      replicas: [
        () => workloads.replicate(hand),
        () => workloads.scale(hand, kinds.replicasets),
        () => workloads.scale(hand, kinds.controllers),
        () => workloads.deleteOne(hand, kinds.replicasets),
        () => workloads.deleteOne(hand, kinds.controllers),
      ],
      statefulsets: [
        () => workloads.makeSet(hand),
        () => workloads.rollOutSet(hand),
        () => workloads.scale(hand, kinds.statefulsets),
        () => workloads.movePartition(hand),
        () => workloads.deleteOne(hand, kinds.statefulsets),
      ],
      daemonsets: [
        () => workloads.makeDaemon(hand),
        () => workloads.changeImage(hand, kinds.daemonsets),
        () => workloads.chooseNodes(hand),
        () => workloads.deleteOne(hand, kinds.daemonsets),
      ],
      jobs: [
        () => workloads.runJob(hand),
        () => workloads.runJob(hand),
        () => workloads.suspend(hand, kinds.jobs),
        () => workloads.widen(hand),
        () => workloads.deleteOne(hand, kinds.jobs),
      ],
      cronjobs: [
        () => workloads.schedule(hand),
        () => workloads.suspend(hand, kinds.cronjobs),
        () => workloads.deleteOne(hand, kinds.cronjobs),
      ],
      owners: [
        () => workloads.own(hand),
        () => workloads.own(hand),
        () => workloads.own(hand),
        () => workloads.disown(hand),
        () => workloads.deleteOne(hand, kinds.configmaps),
      ],
      budgets: [
        () => workloads.deploy(hand),
        () => cluster.protect(hand),
        () => cluster.protect(hand),
        () => cluster.evict(hand),
        () => cluster.evict(hand),
        () => cluster.evict(hand),
        () => workloads.deleteOne(hand, kinds.budgets),
      ],
      services: [
        () => workloads.deploy(hand),
        () => cluster.serve(hand),
        () => workloads.deleteOne(hand, kinds.services),
      ],
      quotas: [
        () => cluster.limit(hand),
        () => workloads.deploy(hand),
        () => workloads.own(hand),
        () => workloads.deleteOne(hand, kinds.quotas),
      ],
      nodes: [() => cluster.nodeTrouble(hand), () => cluster.nodeTrouble(hand), () => workloads.deploy(hand)],
      namespaces: [() => cluster.dropNamespace(hand), () => workloads.own(hand), () => workloads.deploy(hand)],
      pods: [
        () => workloads.replicate(hand),
        () => cluster.deletePod(hand),
        () => cluster.endPod(hand),
        () => cluster.release(hand),
      ],
      secrets: [
        () => secrets.makeAccount(hand),
        () => secrets.askToken(hand),
        () => secrets.askToken(hand),
        () => secrets.keepSecret(hand),
        () => workloads.deploy(hand),
        () => workloads.deleteOne(hand, kinds.accounts),
        () => workloads.deleteOne(hand, kinds.secrets),
      ],
      autoscaling: [
        () => workloads.deploy(hand),
        () => autoscaling.autoscale(hand),
        () => autoscaling.autoscale(hand),
        () => autoscaling.rebound(hand),
        () => autoscaling.changeLoad(hand),
        () => workloads.scale(hand, kinds.deployments),
        () => workloads.deleteOne(hand, kinds.autoscalers),
      ],
    }
    this.#acts = chosen.flatMap((theme) => byTheme[theme])
  }

  async open(): Promise<void> {
    for (const letter of ['a', 'b'])
      await this.#hand.create(kinds.namespaces, objects.namespaceOf(`${this.#hand.prefix}-${letter}`))
    for (const letter of ['1', '2', '3'])
      await this.#hand.create(kinds.volumes, objects.volume(`${this.#hand.prefix}-${letter}`))
  }

  /** One deed. */
  async act(): Promise<void> {
    for (let tries = triesMax; tries > 0; tries--) if (await this.#hand.pick(this.#acts)?.()) return
  }

  /** Sets right what would never come to an end. */
  async calm(): Promise<void> {
    const { client, truth } = this.#hand.world
    const set = async (
      type: ResourceType<ApiObject>,
      wanted: (object: Frozen<ApiObject>) => unknown,
    ): Promise<void> => {
      for (const object of truth.all(type)) {
        const patch = wanted(object)
        if (patch !== undefined) await quietly(client.resource(type).patch(object.metadata, 'strategic', patch))
      }
    }
    const healed = { metadata: { annotations: { [fate.neverReady]: null } } }
    await set(
      kinds.deployments,
      ({ metadata }) => this.#hand.isOurs(metadata) && { spec: { paused: false, template: healed } },
    )
    const unpartitioned = { updateStrategy: { rollingUpdate: { partition: 0 } } }
    await set(
      kinds.statefulsets,
      ({ metadata }) => this.#hand.isOurs(metadata) && { spec: { template: healed, ...unpartitioned } },
    )
    await set(kinds.daemonsets, ({ metadata }) => this.#hand.isOurs(metadata) && { spec: { template: healed } })
    await set(kinds.cronjobs, () => ({ spec: { suspend: true } }))
    await set(kinds.jobs, () => ({ spec: { suspend: false } }))
    for (const { metadata } of truth.all(kinds.quotas))
      await quietly(
        client
          .resource(kinds.quotas)
          .patch(metadata, 'merge', { spec: { hard: { pods: '100', 'count/configmaps': '100' } } }),
      )
    for (const { metadata } of truth.all(core.v1.nodes))
      await client.resource(core.v1.nodes).patch(metadata, 'merge', { spec: { unschedulable: null } })
  }

  /** Deletes what would prevent that, once all clients have received it. */
  async mend(): Promise<void> {
    const { client, truth } = this.#hand.world
    // A broken update blocks its own rollback: whoever mends it deletes the pod that never came up.
    for (const pod of truth.all(core.v1.pods))
      if (pod.metadata.annotations?.[fate.neverReady] !== undefined)
        await quietly(client.resource(core.v1.pods).delete(pod.metadata))
    // A set with claims that adopted a pod without them can't update it: what a pod mounts never changes.
    for (const pod of truth.all(core.v1.pods)) {
      const set = truth.byUid(controllerOf(pod)?.uid ?? '') as Frozen<Partial<StatefulSet>> | undefined
      const claims = (set?.kind === 'StatefulSet' && set.spec?.volumeClaimTemplates?.length) || 0
      const mounted = pod.spec.volumes?.filter(({ persistentVolumeClaim }) => persistentVolumeClaim) ?? []
      if (mounted.length < claims) await quietly(client.resource(core.v1.pods).delete(pod.metadata))
    }
    // A pod that was taken out of a stateful set keeps its name from the next one.
    for (const pod of truth.all(core.v1.pods))
      if (pod.metadata.labels?.['app'] === cluster.takenOut && /-\d+$/.test(pod.metadata.name ?? ''))
        await quietly(client.resource(core.v1.pods).delete(pod.metadata))
  }

  /** Deletes the namespaces of this seed. */
  async leave(): Promise<void> {
    await this.#drop(kinds.namespaces)
  }

  /** Deletes what the cluster has got for this seed. */
  async leaveCluster(): Promise<void> {
    const { client } = this.#hand.world
    await this.#drop(kinds.nodes)
    await this.#drop(kinds.volumes)
    const leases = client.resource(resources.coordination.v1.leases)
    await leases.deleteCollection({ namespace: 'kube-node-lease' })
    await client.resource(core.v1.events).deleteCollection({ namespace: 'default' })
  }

  async #drop(type: ResourceType<ApiObject>): Promise<void> {
    const { client, truth } = this.#hand.world
    for (const { metadata } of truth.all(type))
      if (metadata.name?.startsWith(`${this.#hand.prefix}-`)) await quietly(client.resource(type).delete(metadata))
  }
}
