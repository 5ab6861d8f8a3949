import { compareQuantities } from '../object/index.ts'
import type { StructType, Type } from '../schema/index.ts'
import { fieldsContaining, innermost } from './fieldscontaining.ts'

/** An object whose quantities are written as before, and the way back. */
export interface Aligned<Value> {
  readonly value: Value
  /** Restores the quantities' original texts, wherever the value's parts are by then. */
  restore(): void
}

/**
 * Writes each quantity that equals the one in `old` with the text of `old`: `1073741824` as `1Gi`. Comparisons of the
 * two (is the field immutable, does the generation grow) then compare text and need no schema. The store gets the text
 * that the client sent, hence `restore`. Neither argument is changed; when all texts are the same, which is almost
 * always, the object itself is returned.
 */
export function alignQuantities<Value>(type: StructType, value: Value, old: unknown): Aligned<Value> {
  const rewritten: Rewritten[] = []
  const aligned = align(type, value, old, rewritten)
  return {
    value: aligned as Value,
    restore() {
      for (const { parent, key, text } of rewritten) parent[key] = text
    },
  }
}

/** A quantity whose text was replaced, and its place. */
interface Rewritten {
  readonly parent: Children
  readonly key: string | number
  readonly text: string
}
type Children = Record<string | number, unknown>

const fieldsOf = fieldsContaining(({ type }) => isQuantity(innermost(type)))

function align(type: Type, value: unknown, old: unknown, rewritten: Rewritten[]): unknown {
  if (value === old) return value
  if (type.is === 'scalar') return isQuantity(type) && isSameAmount(value, old) ? old : value
  if (typeof value !== 'object' || typeof old !== 'object' || value === null || old === null) return value
  if (Array.isArray(value) !== (type.is === 'list') || Array.isArray(old) !== (type.is === 'list')) return value
  const children = value as Children
  const before = old as Children
  let copy: Children | undefined
  const alignChild = (key: string | number, element: Type): void => {
    const child = children[key]
    const aligned = align(element, child, before[key], rewritten)
    if (aligned === child) return
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Children
    copy[key] = aligned
    if (typeof child === 'string') rewritten.push({ parent: copy, key, text: child })
  }
  if (type.is === 'struct') {
    for (const { name, type: element } of fieldsOf(type)) if (children[name] !== undefined) alignChild(name, element)
  } else if (type.is === 'list') {
    for (let index = 0; index < (value as unknown[]).length; index++) alignChild(index, type.element)
  } else if (type.is === 'map') for (const key in value) alignChild(key, type.element)
  return copy ?? value
}

function isSameAmount(value: unknown, old: unknown): boolean {
  return typeof value === 'string' && typeof old === 'string' && compareQuantities(value, old) === 0
}

function isQuantity(type: Type): boolean {
  return type.is === 'scalar' && type.scalar === 'Quantity'
}
