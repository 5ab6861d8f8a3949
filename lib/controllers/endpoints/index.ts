import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, keyOf } from '../../controller/index.ts'
import { servicesChangedBy } from '../shared/servicechanges.ts'
import { createTriggerTimes } from '../shared/triggertimes.ts'
import { createWriteSpacing } from '../shared/writespacing.ts'
import { observe } from './observe.ts'
import { perform, remove } from './perform.ts'
import { plan } from './plan.ts'

/** The annotation of Endpoints that were used for leader election: they have no service. */
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader'

/** Minimum time between writes of one object: proxies read slices, which are faster (decision endpoints-in-bursts). */
const spacingMs = 500

/** Keeps the Endpoints of each service that selects pods. */
export const endpoints: ControllerDefinition = {
  name: 'endpoints-controller',
  aliases: ['endpoint'],
  account: 'endpoint-controller',
  start(context) {
    const { concurrentEndpointSyncs, endpointUpdatesBatchPeriod } = context.settings
    const services = context.informer(resources.core.v1.services)
    const pods = context.informer(resources.core.v1.pods)
    const known = context.informer(resources.core.v1.endpoints)
    const times = createTriggerTimes()
    const spacing = createWriteSpacing(context.clock, spacingMs)
    const queue = context.reconcile({
      name: 'endpoint',
      workers: concurrentEndpointSyncs,
      retriesMax: 15,
      async turn(key, { client }) {
        const seen = observe({ services, pods, endpoints: known }, key)
        if (seen === undefined || seen === 'gone') {
          times.forget(key)
          spacing.forget(key)
          if (seen === 'gone' && known.get(key)) await remove(key, client)
          return undefined
        }
        const leftMs = spacing.leftMs(key)
        if (leftMs > 0) return { againAfterMs: leftMs }
        const planned = plan(seen, times.next(key, seen.service, seen.pods))
        if (planned) {
          await perform(planned, { client, events: context.events })
          spacing.wrote(key)
        }
        return undefined
      },
    })
    services.subscribe(({ object }) => queue.add(keyOf(object)))
    pods.subscribe((change) => {
      for (const key of servicesChangedBy(change, services)) queue.addAfter(key, endpointUpdatesBatchPeriod)
    })
    known.subscribe(({ object, deleted }) => {
      if (deleted) queue.add(keyOf(object))
    })
    // Finds the Endpoints of services that were deleted while no controller ran.
    context.whenSynced(() => {
      for (const object of known.all())
        if (object.metadata.annotations?.[leaderAnnotation] === undefined) queue.add(keyOf(object))
    })
  },
}
