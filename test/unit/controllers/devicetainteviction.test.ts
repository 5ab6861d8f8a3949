import assert from 'node:assert/strict'
import { resources } from '../../../api/gen/resources.ts'
import { evictionMs } from '../../../lib/controllers/devicetainteviction/plan.ts'
import { formatTime } from '../../../lib/object/index.ts'
import { runScripts } from '../../support/controllerscript.ts'

const { resourceclaims, resourceslices, devicetaintrules } = resources.resource.v1beta2

runScripts('devicetainteviction', ({ key, lister }) => {
  const pod = lister(resources.core.v1.pods).get(key)
  assert.ok(pod)
  const slices = Array.from(lister(resourceslices).all())
  const atMs = evictionMs(pod, Array.from(lister(resourceclaims).all()), {
    slices: (driver, pool) => slices.filter(({ spec }) => spec.driver === driver && spec.pool.name === pool),
    rules: lister(devicetaintrules).all(),
  })
  return atMs === undefined ? undefined : formatTime(atMs)
})
