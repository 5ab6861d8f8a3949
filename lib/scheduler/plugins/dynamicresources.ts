import type { DynamicResourcesArgs } from '../../../api/gen/kubescheduler.config.k8s.io/v1.ts'
import { matchesNodeTerm } from '../../kinds/index.ts'
import { fieldErrors, parseDurationMs } from '../../object/index.ts'
import type { Plugin, Refusal } from '../contract.ts'
import { allocateDevices } from '../dra/allocate.ts'
import type { Claim } from '../dra/contract.ts'
import { podClaims } from '../dra/podclaims.ts'
import { requestsOf } from '../dra/requests.ts'
import { SearchBudget } from '../dra/searchbudget.ts'
import { usageOf } from '../dra/usage.ts'
import type { NodeInfo } from '../nodeinfo.ts'

const elsewhere: Refusal = { reason: 'resourceclaim not available on the node', isFinal: true }

/** Devices that the pod claims: their allocations are on the node, or can be. */
export const dynamicResources: Plugin<DynamicResourcesArgs> = {
  name: 'DynamicResources',
  points: ['preEnqueue', 'preFilter', 'filter', 'postFilter', 'reserve', 'preBind', 'score'],
  complete: (args) => args,
  check({ filterTimeout = '0s', bindingTimeout = '600s' }, path) {
    const isShort = parseDurationMs(bindingTimeout) < 1000
    return [
      ...(parseDurationMs(filterTimeout) < 0
        ? [fieldErrors.invalid(path.child('filterTimeout'), filterTimeout, 'must be zero or positive')]
        : []),
      ...(isShort
        ? [fieldErrors.invalid(path.child('bindingTimeout'), bindingTimeout, 'must be at least 1 second')]
        : []),
    ]
  },
  filter: () => ({
    name: 'DynamicResources',
    prepare({ pod }, { devices }) {
      if (!devices) return undefined
      const claims = podClaims(pod, devices)
      if (claims === undefined || typeof claims === 'string') return claims
      const requests = claims.open.map((claim) => requestsOf(claim, devices))
      const problem = requests.find((each) => typeof each === 'string')
      if (problem !== undefined) return problem
      const wanted = requests.flatMap((each) => (typeof each === 'string' ? [] : each))
      const state = { snapshot: devices, usage: usageOf(devices), budget: new SearchBudget() }
      return (node) => {
        if (!claims.allocated.every((claim) => isOn(claim, node))) return elsewhere
        const found = wanted.length === 0 ? [] : allocateDevices(wanted, node, state)
        return typeof found === 'string' ? { reason: found, isFinal: true } : undefined
      }
    },
  }),
}

/** The devices of an allocated claim are reached from the node. */
function isOn({ status }: Claim, { node }: NodeInfo): boolean {
  const selector = status.allocation?.nodeSelector
  return selector === undefined || (selector.nodeSelectorTerms ?? []).some((term) => matchesNodeTerm(term, node))
}
