import type { Refusal } from './contract.ts'

/** Why no node takes a pod, in the words of the stock scheduler: `0/3 nodes are available: 3 Insufficient cpu.` */
export function unschedulableMessage(
  nodes: number,
  refusals: ReadonlyMap<string, readonly Refusal[]>,
  problem?: string,
): string {
  if (nodes === 0) return 'no nodes available to schedule pods'
  if (problem !== undefined) return `0/${nodes} nodes are available: ${problem}.`
  return `0/${nodes} nodes are available: ${histogram([...refusals.values()].flat().map(({ reason }) => reason))}.`
}

/** Reasons with their counts, in the order of the text. */
export function histogram(reasons: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return Array.from(counts, ([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ')
}
