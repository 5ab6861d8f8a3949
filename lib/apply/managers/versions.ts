import type { ApiObject } from '../../object/index.ts'
import type { StructType } from '../../schema/index.ts'
import type { FieldFilter } from '../fieldset/filter.ts'
import type { Comparison } from '../typed/compare.ts'
import { compareTyped } from '../typed/compare.ts'
import { fillImplied } from '../typed/fill.ts'
import { anyShape, type Shape, type ShapeOf } from '../typed/shape.ts'
import { comparable } from './comparable.ts'

/** The kind's other versions, for owners recorded in them. */
export interface Versions {
  /** The type of the kind in another version; undefined: the kind no longer has that version. */
  type(apiVersion: string): StructType | undefined
  /** Converts the object from the request's version to another one. Must not change it. */
  convert(object: ApiObject, apiVersion: string): ApiObject | undefined
}

/** Shapes, and the differences between two objects, by version; each is computed once at its first use. */
export class VersionedShapes {
  readonly apiVersion: string
  readonly shape: Shape
  readonly #shapeOf: ShapeOf
  readonly #versions: Versions | undefined

  constructor(apiVersion: string, type: StructType | undefined, shapeOf: ShapeOf, versions: Versions | undefined) {
    this.apiVersion = apiVersion
    this.shape = type ? shapeOf(type) : anyShape
    this.#shapeOf = shapeOf
    this.#versions = versions
  }

  /** Undefined: the kind no longer has the version. Without knowledge of versions all have the same shape. */
  shapeAt(apiVersion: string): Shape | undefined {
    if (apiVersion === this.apiVersion || !this.#versions) return this.shape
    const type = this.#versions.type(apiVersion)
    return type && this.#shapeOf(type)
  }

  convert(object: ApiObject, to: string): ApiObject | undefined {
    if (object.apiVersion === to || !this.#versions) return object
    const shape = this.shapeAt(object.apiVersion)
    return shape && this.#versions.convert(fillImplied(shape, object) as ApiObject, to)
  }
}

/** The effect of a change that the endpoint can make, by version. */
export class Comparisons {
  readonly #of: Change
  readonly #byVersion = new Map<string, Comparison | undefined>()

  constructor(change: Change) {
    this.#of = change
  }

  /** In the version of the request. */
  current(): Comparison {
    const { shapes, before, after } = this.#of
    const known = this.#byVersion.get(shapes.apiVersion)
    if (known) return known
    const found = this.#compare(shapes.shape, before, after)
    this.#byVersion.set(shapes.apiVersion, found)
    return found
  }

  /** Undefined: the kind no longer has the version. */
  at(apiVersion: string): Comparison | undefined {
    if (!this.#byVersion.has(apiVersion)) this.#byVersion.set(apiVersion, this.#compareAt(apiVersion))
    return this.#byVersion.get(apiVersion)
  }

  #compareAt(apiVersion: string): Comparison | undefined {
    const { shapes, before, after } = this.#of
    const shape = shapes.shapeAt(apiVersion)
    if (!shape) return undefined
    if (before === after || apiVersion === shapes.apiVersion) return this.current()
    const was = before && shapes.convert(before, apiVersion)
    const is = shapes.convert(after, apiVersion)
    if (!is || (before && !was)) return undefined
    return this.#compare(shape, was, is)
  }

  #compare(shape: Shape, before: ApiObject | undefined, after: ApiObject): Comparison {
    const { filter } = this.#of
    const found = compareTyped(shape, comparable(before), comparable(after))
    return filter ? { changed: filter(found.changed), removed: filter(found.removed) } : found
  }
}

interface Change {
  readonly shapes: VersionedShapes
  readonly before: ApiObject | undefined
  readonly after: ApiObject
  readonly filter: FieldFilter | undefined
}
