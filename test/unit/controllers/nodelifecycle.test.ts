import assert from 'node:assert/strict'
import { resources } from '../../../api/gen/resources.ts'
import { defaultControllerSettings } from '../../../lib/controller/index.ts'
import { heartbeatAfter } from '../../../lib/controllers/nodelifecycle/health.ts'
import { planNode, planUpkeep, planZones, stateOf } from '../../../lib/controllers/nodelifecycle/plan.ts'
import { runScripts } from '../../support/controllerscript.ts'

const monotonicMs = 3_600_000
const grace = { nodeMonitorGracePeriod: 50_000, nodeStartupGracePeriod: 60_000 }

/**
 * `input.silentSeconds`: since the last heartbeat of the node; a given lease was renewed since. Absent: the node is new. `input.marksPods`:
 * its pods are still to be marked. `input.allZonesDown`. `input.zones`: also plans the zones of the given nodes.
 */
runScripts('nodelifecycle', ({ input, lister, nowMs, key }) => {
  const nodes = lister(resources.core.v1.nodes)
  if (input['zones']) {
    const { zones, allZonesDown } = planZones(nodes.all(), { ...defaultControllerSettings, nodeEvictionRate: 0.1 })
    return {
      allZonesDown,
      zones: [...zones].map(([name, { state, taintsPerSecond }]) => `${name} ${state} ${taintsPerSecond}`),
    }
  }
  const node = nodes.get(key)
  assert.ok(node)
  const lease = lister(resources.coordination.v1.leases).get(`kube-node-lease/${key}`)
  const { silentSeconds, allZonesDown = false, marksPods } = input
  const seenMs = monotonicMs - Number(silentSeconds) * 1000
  const seen = heartbeatAfter(undefined, node, lease, { nowMs, monotonicMs })
  const before =
    silentSeconds === undefined
      ? undefined
      : {
          ...stateOf(node, { ...seen, renewal: '', seenMs }),
          ...(marksPods === undefined ? {} : { marksPods: marksPods === true }),
        }
  const options = { nowMs, monotonicMs, grace, allZonesDown: allZonesDown === true }
  const { conditions, isLost, state, queue, taints } = planNode({ node, lease, before }, options)
  return {
    conditions: conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`),
    isLost,
    readiness: state.readiness,
    marksPods: state.marksPods,
    queue,
    taints: taints?.map(({ key, effect }) => `${key}:${effect}`),
    upkeep: planUpkeep(node, nowMs),
  }
})
