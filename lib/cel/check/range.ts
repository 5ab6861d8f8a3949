import type { CelType } from './types.ts'

/** A best and a worst case; a worst case of 2^64-1 means "no known bound". */
export interface Range {
  readonly min: number
  readonly max: number
}

/** The facts about an argument for an estimate. */
export interface EstimateNode {
  readonly type: CelType
  /** Characters, bytes, elements or entries. */
  readonly size: Range
  /** The value of an int literal. */
  readonly literalInt: number | undefined
  /** The size of a list's elements. */
  readonly elementSize: Range
}

export interface CallEstimate {
  readonly cost: Range
  readonly resultSize?: Range
}

export const unbounded = 2 ** 64 - 1
export const unknownSize: Range = Object.freeze({ min: 0, max: unbounded })
export const noCost: Range = Object.freeze({ min: 0, max: 0 })
export const unitCost: Range = Object.freeze({ min: 1, max: 1 })

export function exactly(value: number): Range {
  return { min: value, max: value }
}

const cap = (value: number): number => Math.min(value, unbounded)

export function plus(a: Range, b: Range): Range {
  return { min: cap(a.min + b.min), max: cap(a.max + b.max) }
}

export function times(a: Range, b: Range): Range {
  return { min: cap(a.min * b.min), max: cap(a.max * b.max) }
}

/** Each bound times a factor, rounded up. */
export function scaled(a: Range, factor: number): Range {
  return { min: cap(Math.ceil(a.min * factor)), max: cap(Math.ceil(a.max * factor)) }
}

export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) }
}

/** The size of one of a call's arguments. */
export function sizeAt(args: readonly { readonly size: Range }[], index: number): Range {
  return args[index]?.size ?? { min: 0, max: 0 }
}
