import type { PersistentVolumeClaim } from '../../api/gen/core/v1.ts'
import { type ControllerContext, type Informer, joinKey, keyOf } from '../controller/index.ts'
import type { NodeInfo } from './nodeinfo.ts'
import { askForVolumes, bind } from './perform.ts'
import type { PodInfo } from './podinfo.ts'
import { claimNames, claimsOf, planClaims, type VolumeListers } from './volumes.ts'

interface Dependencies {
  readonly context: ControllerContext
  readonly claims: Informer<PersistentVolumeClaim>
  readonly volumes: VolumeListers
}

interface BindingOptions {
  readonly performer: Parameters<typeof bind>[2]
  /** How long it waits for claims to be bound. */
  readonly timeoutMs: number
}

/** Binds a pod to its node, after its claims are bound to volumes. Rejects where that fails. */
export function createBinding({
  context,
  claims,
  volumes,
}: Dependencies): (pod: PodInfo, node: string, info: NodeInfo | undefined, options: BindingOptions) => Promise<void> {
  /** Called at each change of a claim. */
  const waiters = new Set<(key: string) => void>()
  claims.subscribe(({ object }) => {
    for (const waiter of waiters) waiter(keyOf(object))
  })

  function isBound(key: string): boolean {
    return claims.get(key)?.status.phase === 'Bound'
  }

  function whenBound(keys: readonly string[], timeoutMs: number): Promise<void> {
    return new Promise((bound, failed) => {
      const stop = (): void => {
        waiters.delete(look)
        void timer.close()
        context.signal.removeEventListener('abort', stopped)
      }
      const look = (): void => {
        if (!keys.every(isBound)) return
        stop()
        bound()
      }
      const fail = (why: string): void => {
        stop()
        failed(new Error(why))
      }
      const stopped = (): void => fail('the scheduler stops')
      const timer = context.clock.after(timeoutMs, () => fail('binding volumes: context deadline exceeded'))
      context.signal.addEventListener('abort', stopped)
      waiters.add(look)
      look()
    })
  }

  return async ({ pod }, node, info, { performer, timeoutMs }) => {
    const needed = claimsOf(pod, volumes)
    if (typeof needed === 'string') throw new Error(needed)
    if (needed && info) {
      const plan = planClaims(needed, info, volumes)
      if (typeof plan === 'string') throw new Error(plan)
      if (plan.bind.length + plan.provision.length > 0) {
        await askForVolumes(plan, node, performer)
        await whenBound(
          claimNames(pod).map((name) => joinKey(pod.metadata.namespace ?? '', name)),
          timeoutMs,
        )
      }
    }
    await bind(pod, node, performer)
  }
}
