import { isRecord } from '../../base/index.ts'
import type { JsonObject } from '../../object/index.ts'
import type { StructType } from '../../schema/index.ts'
import { fieldElement, formatPath } from '../fieldset/element.ts'
import { TypedError } from './listitem.ts'
import { mergeTyped } from './merge.ts'
import { createShapes, type Shape } from './shape.ts'
import { validateTyped } from './validate.ts'

/**
 * Merges a configuration into an object, regardless of the owners of fields. Throws TypedError for a configuration that
 * does not match the type, or has atomic lists, maps or structs, which would remove fields of the object.
 */
export type LayConfiguration = (type: StructType, object: JsonObject, configuration: JsonObject) => JsonObject

export function createLayConfiguration(): LayConfiguration {
  const shapeOf = createShapes()
  return (type, object, configuration) => {
    const shape = shapeOf(type)
    checkFits(shape, configuration)
    const atomics: string[] = []
    findAtomics(shape, configuration, [], atomics)
    if (atomics.length > 0) {
      const places = atomics.slice(0, toldMax).join(', ')
      throw new TypedError(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${places}`)
    }
    return mergeTyped(shape, object, configuration) as JsonObject
  }
}

const toldMax = 100

function checkFits(shape: Shape, configuration: JsonObject): void {
  try {
    validateTyped(shape, configuration)
  } catch (error) {
    if (!(error instanceof TypedError)) throw error
    throw new TypedError(`failed to convert patch object to typed object: ${error.message}`, { cause: error })
  }
}

function findAtomics(shape: Shape, value: unknown, path: string[], found: string[]): void {
  const below = (element: string, of: Shape, part: unknown): void => {
    path.push(element)
    findAtomics(of, part, path, found)
    path.pop()
  }
  if (Array.isArray(value)) {
    const isAtomic = shape.is === 'any' || (shape.is === 'list' && shape.semantics === 'atomic')
    if (isAtomic) found.push(formatPath(path))
    const element: Shape = shape.is === 'list' ? shape.element : shape
    for (const [index, item] of value.entries()) below(`i:${index}`, element, item)
  } else if (isRecord(value)) {
    if ((shape.is === 'map' || shape.is === 'struct') && shape.atomic) found.push(formatPath(path))
    for (const key of Object.keys(value)) {
      const of = shape.is === 'struct' ? shape.byName.get(key)?.shape : shape.is === 'any' ? shape : undefined
      if (of) below(fieldElement(key), of, value[key])
    }
  }
}
