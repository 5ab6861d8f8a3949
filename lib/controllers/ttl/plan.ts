/**
 * How long kubelets may cache secrets and config maps, by the number of nodes. A step is left at a smaller number
 * than it is entered at.
 */
const steps = [
  { fromNodes: 0, toNodes: 100, seconds: 0 },
  { fromNodes: 90, toNodes: 500, seconds: 15 },
  { fromNodes: 450, toNodes: 1000, seconds: 30 },
  { fromNodes: 900, toNodes: 2000, seconds: 60 },
  { fromNodes: 1800, toNodes: Number.POSITIVE_INFINITY, seconds: 300 },
] as const

/** The step after the number of nodes has changed. */
export function nextStep(step: number, nodes: number): number {
  let next = step
  while (nodes > (steps[next]?.toNodes ?? Number.POSITIVE_INFINITY)) next++
  while (nodes < (steps[next]?.fromNodes ?? 0)) next--
  return next
}

export function secondsOf(step: number): number {
  return steps[step]?.seconds ?? 0
}
