import type { Pod } from '../../api/gen/core/v1.ts'
import { resources } from '../../api/gen/resources.ts'
import type { ControlPlane } from '../../cmd/pilothouse/library.ts'
import type { Frozen } from '../../lib/object/index.ts'

const { events, pods } = resources.core.v1

/** Does a kubelet's work on pods by hand, in the namespace `default`. */
interface Kubelet {
  podsOf(app: string): Promise<readonly Frozen<Pod>[]>
  /** Pods that are going are gone, all others run and are ready. */
  run(app: string): Promise<void>
  /** The pod is over. */
  finish(pod: Frozen<Pod>, phase: 'Succeeded' | 'Failed', exitCode?: number): Promise<void>
  /** Reasons of the events about an object. */
  reasons(name: string): Promise<readonly string[]>
  /** The sum of all that is written about `app`, to see whether that goes on. */
  writesAfter(pauseMs: number, read: () => Promise<string>): Promise<boolean>
}

export function createKubelet(plane: () => ControlPlane): Kubelet {
  const client = () => plane().client.resource(pods)
  const podsOf = async (app: string): Promise<readonly Frozen<Pod>[]> =>
    (await client().list({ namespace: 'default', labelSelector: `app=${app}` })).items
  return {
    podsOf,
    async run(app) {
      for (const pod of await podsOf(app)) {
        if (pod.metadata.deletionTimestamp !== undefined) {
          await client()
            .delete(pod.metadata, { gracePeriodSeconds: 0 })
            .catch(() => {})
          continue
        }
        if (pod.status.conditions?.some(({ type }) => type === 'Ready')) continue
        const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }]
        await client()
          .patchStatus(pod.metadata, 'merge', { status: { phase: 'Running', conditions } })
          .catch(() => {})
      }
    },
    async finish(pod, phase, exitCode = phase === 'Failed' ? 1 : 0) {
      const finishedAt = '2026-01-01T00:00:00Z'
      const containerStatuses = (pod.spec.containers ?? []).map(({ name }) => ({
        name,
        image: 'i',
        imageID: 'i',
        ready: false,
        restartCount: 0,
        state: { terminated: { exitCode, finishedAt } },
        lastState: {},
      }))
      await client().patchStatus(pod.metadata, 'merge', { status: { phase, containerStatuses } })
    },
    async reasons(name) {
      const { items } = await plane().client.resource(events).list({ namespace: 'default' })
      return items.filter(({ involvedObject }) => involvedObject.name === name).map(({ reason }) => reason ?? '')
    },
    async writesAfter(pauseMs, read) {
      const before = await read()
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      return (await read()) !== before
    },
  }
}
