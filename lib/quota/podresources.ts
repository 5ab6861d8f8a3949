import type * as core from '../../api/gen/core/v1.ts'
import { compareQuantities } from '../object/index.ts'
import { type Amounts, addTo, emptyAmounts } from './amounts.ts'

/** Requests and limits of a pod, or of one of its containers, by resource. */
export interface ResourceTotals {
  readonly requests: Amounts
  readonly limits: Amounts
}

interface PodResourcesOptions {
  /** The pod-level resources take precedence. */
  readonly podLevel: boolean
  /** The overhead of the pod's runtime class counts. */
  readonly overhead?: boolean
  /** The resources that containers hold by their status count if they are larger. */
  readonly held?: boolean
}

type List = keyof ResourceTotals
type PodParts = Pick<core.Pod, 'spec'> & { readonly status?: core.PodStatus | undefined }

/** A container, its status, or the pod itself. */
export interface WithResources {
  readonly resources?: core.ResourceRequirements | undefined
}

export function resourcesOf({ resources }: WithResources): ResourceTotals {
  return { requests: resources?.requests ?? {}, limits: resources?.limits ?? {} }
}

/**
 * Requests and limits of the pod as a whole: the sum of its containers and of the sidecars, or the resources of one
 * init container while it runs, whichever is more.
 */
export function podResources({ spec, status }: PodParts, options: PodResourcesOptions): ResourceTotals {
  const held = options.held === true ? heldResources(status) : undefined
  const total = (list: List): Amounts => {
    const sums = totals(spec, list, held)
    const stated = options.podLevel ? resourcesOf(spec)[list] : {}
    for (const [name, amount] of Object.entries(stated)) if (isPodLevel(name)) sums[name] = amount
    if (options.overhead === true) addOverhead(sums, spec.overhead ?? {}, list)
    return sums
  }
  return { requests: total('requests'), limits: total('limits') }
}

function isPodLevel(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-')
}

/** Overhead doesn't create a limit where there is none. */
function addOverhead(sums: Record<string, string>, overhead: Amounts, list: List): void {
  for (const [name, amount] of Object.entries(overhead))
    if (list === 'requests' || compareQuantities(sums[name] ?? '0', '0') > 0) addTo(sums, name, amount)
}

type Held = ReadonlyMap<string, Record<List, Amounts> & { readonly only: boolean }>

/** By container. `only`: the requested resources are infeasible, so only the held ones count. */
function heldResources(status: core.PodStatus | undefined): Held {
  const only = (status?.conditions ?? []).some(
    ({ type, status: is, reason }) => type === 'PodResizePending' && is === 'True' && reason === 'Infeasible',
  )
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])]
  return new Map(
    statuses
      .filter(({ resources }) => resources !== undefined)
      .map(({ name, resources, allocatedResources }) => {
        const { requests, limits } = resourcesOf({ resources })
        const most = Object.assign(emptyAmounts(), requests)
        raise(most, allocatedResources ?? {})
        return [name, { requests: most, limits, only }]
      }),
  )
}

function totals(spec: core.PodSpec, list: List, held: Held | undefined): Record<string, string> {
  const running = emptyAmounts()
  const beside = emptyAmounts()
  const most = emptyAmounts()
  for (const container of spec.containers ?? []) add(running, amountsOf(container, list, held))
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy === 'Always') {
      const amounts = amountsOf(container, list, held)
      add(running, amounts)
      add(beside, amounts)
      raise(most, beside)
    } else {
      const alone = Object.assign(emptyAmounts(), beside)
      add(alone, resourcesOf(container)[list])
      raise(most, alone)
    }
  }
  raise(running, most)
  return running
}

function amountsOf(container: core.Container, list: List, held: Held | undefined): Amounts {
  const asked = resourcesOf(container)[list]
  const holding = held?.get(container.name)
  if (!holding) return asked
  if (holding.only) return holding[list]
  const more = Object.assign(emptyAmounts(), asked)
  raise(more, holding[list])
  return more
}

function add(sums: Record<string, string>, amounts: Amounts): void {
  for (const [name, amount] of Object.entries(amounts)) addTo(sums, name, amount)
}

function raise(most: Record<string, string>, amounts: Amounts): void {
  for (const [name, amount] of Object.entries(amounts)) {
    const known = most[name]
    if (known === undefined || compareQuantities(amount, known) > 0) most[name] = amount
  }
}
