import type { DynamicResourcesArgs } from '../../../api/gen/kubescheduler.config.k8s.io/v1.ts'
import { matchesNodeTerm } from '../../kinds/index.ts'
import { fieldErrors, parseDurationMs } from '../../object/index.ts'
import type { Plugin, Refusal } from '../contract.ts'
import { allocateDevices } from '../dra/allocate.ts'
import type { Claim } from '../dra/contract.ts'
import { extendedClaimOf, leftClaimOf, wantsExtended } from '../dra/extended.ts'
import { podClaims } from '../dra/podclaims.ts'
import { requestsOf } from '../dra/requests.ts'
import { SearchBudget } from '../dra/searchbudget.ts'
import { usageOf } from '../dra/usage.ts'
import type { NodeInfo } from '../nodeinfo.ts'

/** Its deletion lets the pod be tried again. */
const leftBehind: Refusal = { reason: 'cannot schedule extended resource claim', isFinal: true }
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
    prepare(info, { devices }) {
      if (!devices) return undefined
      const own = podClaims(info.pod, devices)
      if (typeof own === 'string') return own
      const isExtended = wantsExtended(info, devices)
      if (own === undefined && !isExtended) return undefined
      if (isExtended && leftClaimOf(info.pod, devices)) return () => leftBehind
      const { allocated, open } = own ?? { allocated: [], open: [] }
      const requests = open.map((claim) => requestsOf(claim, devices))
      const problem = requests.find((each) => typeof each === 'string')
      if (problem !== undefined) return problem
      const wanted = requests.flatMap((each) => (typeof each === 'string' ? [] : each))
      const state = { snapshot: devices, usage: usageOf(devices), budget: new SearchBudget() }
      return (node) => {
        if (!allocated.every((claim) => isOn(claim, node))) return elsewhere
        const extended = isExtended ? extendedClaimOf(info, node, devices) : undefined
        const more = extended ? requestsOf(extended.claim, devices) : []
        if (typeof more === 'string') return { reason: more, isFinal: true }
        const all = [...wanted, ...more]
        const found = all.length === 0 ? [] : allocateDevices(all, node, state)
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
