import type * as core from '../../../api/gen/core/v1.ts'
import { addQuantities, compareQuantities } from '../../object/index.ts'

export type Amounts = Readonly<Record<string, string>>

/** Requests and limits of a pod, or of one of its containers, by resource. */
export interface Usage {
  readonly requests: Amounts
  readonly limits: Amounts
}

export function usageOf({ resources }: Pick<core.Container, 'resources'>): Usage {
  return { requests: resources?.requests ?? {}, limits: resources?.limits ?? {} }
}

/**
 * Requests and limits of the pod as a whole: the sum of its containers and of the init containers that go on running
 * beside them, or what one init container takes while it runs, whichever is more. `podLevel`: resources stated for the
 * pod itself take precedence.
 */
export function podUsage(spec: core.PodSpec, podLevel: boolean): Usage {
  const own = podLevel && spec.resources ? usageOf({ resources: spec.resources }) : undefined
  const total = (list: keyof Usage): Amounts => {
    const sums = totals(spec, list)
    for (const name of ['cpu', 'memory']) {
      const stated = own?.[list][name]
      if (stated !== undefined) sums[name] = stated
    }
    return sums
  }
  return { requests: total('requests'), limits: total('limits') }
}

function totals(spec: core.PodSpec, list: keyof Usage): Record<string, string> {
  const running: Record<string, string> = {}
  const beside: Record<string, string> = {}
  const most: Record<string, string> = {}
  for (const container of spec.containers ?? []) add(running, usageOf(container)[list])
  for (const container of spec.initContainers ?? []) {
    const amounts = usageOf(container)[list]
    if (container.restartPolicy === 'Always') {
      add(running, amounts)
      add(beside, amounts)
      raise(most, beside)
    } else {
      const alone = { ...beside }
      add(alone, amounts)
      raise(most, alone)
    }
  }
  raise(running, most)
  return running
}

function add(sums: Record<string, string>, amounts: Amounts): void {
  for (const [name, amount] of Object.entries(amounts)) {
    const sum = sums[name]
    sums[name] = sum === undefined ? amount : addQuantities(sum, amount)
  }
}

function raise(most: Record<string, string>, amounts: Amounts): void {
  for (const [name, amount] of Object.entries(amounts)) {
    const known = most[name]
    if (known === undefined || compareQuantities(amount, known) > 0) most[name] = amount
  }
}
