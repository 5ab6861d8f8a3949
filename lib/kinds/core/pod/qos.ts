import type * as core from '../../../../api/gen/core/v1.ts'
import { addQuantities, compareQuantities } from '../../../object/index.ts'

type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort'

/** The resources that determine the class. */
const counted = ['cpu', 'memory'] as const

/** The class by which the kubelet evicts pods when the node runs out of a resource. */
export function qosClassOf(spec: core.PodSpec): QosClass {
  const requests: Record<string, string> = {}
  const limits: Record<string, string> = {}
  let guaranteed = true
  const parts = spec.resources
    ? [spec.resources]
    : [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map((one) => one.resources ?? {})
  for (const resources of parts) {
    for (const name of counted) {
      add(requests, name, resources.requests?.[name])
      if (!add(limits, name, resources.limits?.[name])) guaranteed = false
    }
  }
  const asked = Object.keys(requests).length
  if (asked === 0 && Object.keys(limits).length === 0) return 'BestEffort'
  if (guaranteed)
    for (const name of Object.keys(requests))
      if (compareQuantities(requests[name] ?? '0', limits[name] ?? '0') !== 0) guaranteed = false
  return guaranteed && asked === Object.keys(limits).length ? 'Guaranteed' : 'Burstable'
}

/** False when the amount is missing or zero. */
function add(totals: Record<string, string>, name: string, amount: string | undefined): boolean {
  if (amount === undefined || compareQuantities(amount, '0') <= 0) return false
  totals[name] = totals[name] === undefined ? amount : addQuantities(totals[name], amount)
  return true
}
