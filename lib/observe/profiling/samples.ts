import type { HeapProfiler, Profiler } from 'node:inspector'

/** A function as V8 names it; lines and columns count from 0, and are -1 without a source. */
export interface StackFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
  readonly columnNumber: number
}

/** The measurements of one stack. */
export interface StackSample {
  /** The innermost first. */
  readonly frames: readonly StackFrame[]
  readonly values: readonly number[]
}

/** Values: how often the stack was sampled, and nanoseconds. Idle time is left out. */
export function cpuSamples({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): StackSample[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parentOf = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const spent = new Map<number, { count: number; microseconds: number }>()
  for (const [at, id] of samples.entries()) {
    const entry = spent.get(id) ?? { count: 0, microseconds: 0 }
    entry.count++
    // A delta is the time since the previous sample; a sample counts for the time until the next.
    entry.microseconds += timeDeltas[at + 1] ?? 0
    spent.set(id, entry)
  }
  return Array.from(spent, ([id, { count, microseconds }]) => {
    const frames: StackFrame[] = []
    for (let at: number | undefined = id; at !== undefined; at = parentOf.get(at)) {
      const frame = byId.get(at)?.callFrame
      if (frame && frame.functionName !== '(root)') frames.push(frame)
    }
    return { frames, values: [count, microseconds * 1000] }
  }).filter(({ frames }) => frames.length > 0 && frames[0]?.functionName !== '(idle)')
}

/** Value: bytes that were allocated with the stack and are in use, times `sign` (-1 subtracts). */
export function heapSamples({ head }: HeapProfiler.SamplingHeapProfile, sign: 1 | -1 = 1): StackSample[] {
  const samples: StackSample[] = []
  const visit = (node: HeapProfiler.SamplingHeapProfileNode, callers: readonly StackFrame[]): void => {
    const frames = node.callFrame.functionName === '(root)' ? callers : [node.callFrame, ...callers]
    if (node.selfSize > 0 && frames.length > 0) samples.push({ frames, values: [sign * node.selfSize] })
    for (const child of node.children) visit(child, frames)
  }
  visit(head, [])
  return samples
}
