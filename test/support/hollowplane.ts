import type { Pod, PodSpec } from '../../api/gen/core/v1.ts'
import { resources } from '../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../cmd/pilothouse/library.ts'
import type { Frozen } from '../../lib/object/index.ts'
import { eventually } from './eventually.ts'

const { events, nodes, pods } = resources.core.v1

/** A control plane with controllers and hollow nodes, in memory. */
export interface HollowPlane {
  readonly plane: ControlPlane
  createPod(name: string, spec?: Partial<PodSpec>, metadata?: Partial<Pod['metadata']>): Promise<Frozen<Pod>>
  pod(name: string): Promise<Frozen<Pod>>
  /** Waits until the pod is as wanted. */
  until(name: string, isWanted: (pod: Frozen<Pod>) => boolean, what: string): Promise<Frozen<Pod>>
  /** `reason: message` of the events about an object. */
  eventsOf(name: string): Promise<readonly string[]>
}

export async function startHollowPlane(count: number): Promise<HollowPlane> {
  const plane = await startControlPlane({ controllers: true, nodes: count })
  const client = plane.client.resource(pods)
  const get = async (name: string): Promise<Frozen<Pod>> => await client.get({ namespace: 'default', name })
  await eventually(async () => {
    const { items } = await plane.client.resource(nodes).list()
    return items.filter(({ spec }) => (spec.taints ?? []).length === 0).length === count
  }, 'all nodes')
  return {
    plane,
    pod: get,
    createPod: async (name, spec = {}, metadata = {}) =>
      await client.create({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { namespace: 'default', name, ...metadata },
        spec: { containers: [{ name: 'main', image: 'i', resources: {} }], ...spec },
        status: {},
      }),
    async until(name, isWanted, what) {
      let last = await get(name)
      await eventually(async () => isWanted((last = await get(name))), what)
      return last
    },
    async eventsOf(name) {
      const { items } = await plane.client.resource(events).list({ namespace: 'default' })
      return items
        .filter(({ involvedObject }) => involvedObject.name === name)
        .map(({ reason = '', message = '' }) => `${reason}: ${message}`)
    },
  }
}

export function isReady({ status }: Frozen<Pod>): boolean {
  return status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true
}
