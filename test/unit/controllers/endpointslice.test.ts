import { resources } from '../../../api/gen/resources.ts'
import { observe } from '../../../lib/controllers/endpointslice/observe.ts'
import { plan } from '../../../lib/controllers/endpointslice/plan.ts'
import { cpuShares } from '../../../lib/controllers/endpointslice/topology.ts'
import { runScripts } from '../../support/controllerscript.ts'

runScripts('endpointslice', ({ key, input, lister }) => {
  const { services, pods, nodes } = resources.core.v1
  const slices = lister(resources.discovery.v1.endpointslices)
  const seen = observe({ services: lister(services), pods: lister(pods), nodes: lister(nodes), slices }, key)
  if (!seen) return undefined
  const endpointsMax = (input['endpointsMax'] as number | undefined) ?? 100
  const planned = plan(seen, {
    endpointsMax,
    triggered: input['triggered'] as string | undefined,
    shares: () => cpuShares(lister(nodes).all()),
  })
  const shown = [...planned.create, ...planned.update].map(({ metadata, addressType, endpoints = [], ports = [] }) => ({
    slice: metadata.name ?? metadata.generateName,
    addressType,
    ...(input['withMetadata'] === true ? { labels: metadata.labels, annotations: metadata.annotations } : {}),
    endpoints: endpoints.map(({ addresses, conditions: { ready, serving, terminating }, hostname, hints }) => {
      const flags = [ready && 'ready', serving && 'serving', terminating && 'terminating'].filter(Boolean).join(' ')
      const where = hints?.forZones?.map(({ name }) => name).join()
      return [addresses?.join(), flags, hostname, where].filter((part) => part !== undefined).join(' | ')
    }),
    ports: ports.map(({ name, port, protocol }) => `${name}:${port}/${protocol}`),
  }))
  const deleted = planned.delete.map(({ metadata }) => metadata.name)
  return {
    ...(shown.length === 0 ? {} : { write: shown }),
    ...(deleted.length === 0 ? {} : { delete: deleted }),
    ...(planned.events.length === 0
      ? {}
      : { events: planned.events.map(({ type, reason, message }) => `${type} ${reason} ${message}`) }),
    ...(planned.waiting.length === 0 ? {} : { waiting: planned.waiting.map(({ metadata }) => metadata.name) }),
  }
})
