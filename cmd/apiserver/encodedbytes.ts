import { totalmem } from 'node:os'

/** Share of the available memory that encoded objects may take. */
const share = 0.25

/** A quarter of the machine's memory, or of the container's where that is less. */
export function encodedBytesMax(): number {
  return limitedBy(totalmem(), process.constrainedMemory())
}

/** `constrained`: the container's limit, 0 for none, or a number beyond any machine's memory. */
export function limitedBy(total: number, constrained: number): number {
  return Math.floor((constrained > 0 ? Math.min(total, constrained) : total) * share)
}
