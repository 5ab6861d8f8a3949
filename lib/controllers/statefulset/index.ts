import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, joinKey, keyOf, namespaceOf } from '../../controller/index.ts'
import { labelSelectorFromObject } from '../../object/index.ts'
import { ownersOf } from '../shared/ownersof.ts'
import { parentAndOrdinal, type SomeSet } from './identity.ts'
import { observe } from './observe.ts'
import { perform } from './perform.ts'

/** Runs pods with fixed names and claims, and updates them one by one. */
export const statefulset: ControllerDefinition = {
  name: 'statefulset-controller',
  aliases: ['statefulset'],
  account: 'statefulset-controller',
  start(context) {
    const sets = context.informer(resources.apps.v1.statefulsets)
    const revisions = context.informer(resources.apps.v1.controllerrevisions)
    const pods = context.informer(resources.core.v1.pods)
    const claims = context.informer(resources.core.v1.persistentvolumeclaims)
    const queue = context.reconcile({
      name: 'statefulset',
      workers: context.settings.concurrentStatefulsetSyncs,
      async turn(key, { client }) {
        const several = context.gate('MaxUnavailableStatefulSet')
        const seen = observe({ sets, pods, claims, revisions }, key, several)
        if (!seen) return
        const { events, release, clock } = context
        const { againAfterMs } = await perform(seen, { client, events, release, now: () => clock.now() })
        return { againAfterMs }
      },
    })
    sets.subscribe(({ object }) => queue.add(keyOf(object)))
    const owners = {
      kind: 'StatefulSet',
      in: (namespace: string) => sets.in(namespace),
      selectorOf: ({ spec }: SomeSet) => labelSelectorFromObject(spec.selector),
    }
    pods.subscribe((change) => {
      for (const key of ownersOf(change, owners)) queue.add(key)
      // The name is free now, whether the set owned the pod or not.
      const parent = change.deleted ? parentAndOrdinal(change.object.metadata.name)?.parent : undefined
      const set = parent === undefined ? undefined : sets.get(joinKey(namespaceOf(change.object), parent))
      if (set) queue.add(keyOf(set))
    })
    // A terminating claim of an earlier pod delays the next pod.
    claims.subscribe(({ object, deleted }) => {
      const parent = deleted ? parentAndOrdinal(object.metadata.name)?.parent : undefined
      if (parent === undefined) return
      for (const set of sets.in(namespaceOf(object))) {
        const isIts = (template: { readonly metadata: { readonly name?: string } }): boolean =>
          parent === `${template.metadata.name ?? ''}-${set.metadata.name ?? ''}`
        if (set.spec.volumeClaimTemplates?.some(isIts)) queue.add(keyOf(set))
      }
    })
  },
}
