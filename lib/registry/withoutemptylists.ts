import type { Field, StructType, Type } from '../schema/index.ts'
import { fieldsContaining } from './fieldscontaining.ts'

/**
 * The object without the empty lists that would be written as `[]`. Storage (protobuf) doesn't distinguish an empty
 * list from none, which is written as `null`: so an object reads the same before and after it has been stored, and a
 * client that sends `[]` for a list stored as empty changes nothing. Does not change `value`; returns it when there is
 * nothing to remove, which is almost always.
 */
export function withoutEmptyLists<Value>(type: StructType, value: Value): Value {
  return without(type, value) as Value
}

const fieldsOf = fieldsContaining(isAlwaysWritten)

function isAlwaysWritten({ type, omit, pointer }: Field): boolean {
  return type.is === 'list' && omit === 'never' && !pointer
}

type Children = Record<string | number, unknown>

function without(type: Type, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== (type.is === 'list')) return value
  const children = value as Children
  let copy: Children | undefined
  const replace = (key: string | number, element: Type): void => {
    const child = children[key]
    const replaced = without(element, child)
    if (replaced === child) return
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Children
    copy[key] = replaced
  }
  if (type.is === 'struct') {
    for (const field of fieldsOf(type)) {
      const child = children[field.name]
      if (child === undefined) continue
      if (!isAlwaysWritten(field) || !Array.isArray(child) || child.length > 0) replace(field.name, field.type)
      else delete (copy ??= { ...children })[field.name]
    }
  } else if (type.is === 'list') {
    for (let index = 0; index < (value as unknown[]).length; index++) replace(index, type.element)
  } else if (type.is === 'map') for (const key in value) replace(key, type.element)
  return copy ?? value
}
