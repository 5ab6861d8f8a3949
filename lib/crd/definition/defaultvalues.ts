import { Pace, type Slices } from '../../base/index.ts'
import type { Environment } from '../../cel/index.ts'
import {
  copyObject,
  copyObjectInSlices,
  countValues,
  deepEqual,
  deepEqualInSlices,
  type FieldError,
  type FieldPath,
  fieldErrors,
} from '../../object/index.ts'
import { validateEmbedded } from '../schema/embedded.ts'
import type { LogicRules, SchemaNode } from '../schema/node.ts'
import { createPatterns } from '../schema/patterns.ts'
import { rootPlace } from '../schema/place.ts'
import { prune } from '../schema/prune.ts'
import { createRuleSet } from '../schema/rules.ts'
import { validateValue } from '../schema/validate.ts'
import type { PatternSyntax } from './patternsyntax.ts'

/** The engine's parts that all definitions are checked with. */
export interface CheckEngine {
  /** For rules that are stored already. */
  readonly environment: Environment
  /** For new rules. */
  readonly newRules: Environment
  readonly patterns: PatternSyntax
}

/** Checks the default values and the patterns of a schema: defaults are valid themselves, patterns compile. */
export function* checkValues(errors: FieldError[], root: SchemaNode, at: FieldPath, engine: CheckEngine): Slices<void> {
  yield* new Checker(errors, engine).visit(root, at, 'root')
}

/** Checks the patterns alone. */
export function* checkPatterns(
  errors: FieldError[],
  root: SchemaNode,
  at: FieldPath,
  engine: CheckEngine,
): Slices<void> {
  yield* new Checker(errors, engine).patterns(root, at)
}

/** Characters and instructions of patterns, and nodes times their weight, that are checked without a pause. */
const sizeASlice = 5000
const nodeSize = 5
/** Fields and items of a default value that is looked at in steps. */
const largeValuesMin = 2000

type Level = 'root' | 'objectMetadata' | 'plain'

class Checker {
  readonly #errors: FieldError[]
  readonly #engine: CheckEngine
  #left = sizeASlice

  constructor(errors: FieldError[], engine: CheckEngine) {
    this.#errors = errors
    this.#engine = engine
  }

  /** True when others should run. */
  #isDue(size: number): boolean {
    this.#left -= size
    if (this.#left > 0) return false
    this.#left = sizeASlice
    return true
  }

  *visit(node: SchemaNode, at: FieldPath, level: Level): Slices<void> {
    if (this.#isDue(nodeSize)) yield
    if (level === 'root') yield* this.#checkDefault(node, at)
    yield* this.#checkPattern(node.values.pattern, at.child('pattern'))
    if (node.logic) yield* this.#visitJunctors(node.logic, at)
    for (const name of [...node.properties.keys()].sort()) {
      const property = node.properties.get(name)
      if (!property) continue
      const here = at.child('properties').key(name)
      const isObjectField = level === 'root' && ['metadata', 'kind', 'apiVersion'].includes(name)
      if (isObjectField && property.default !== undefined)
        this.#errors.push(fieldErrors.forbidden(here.child('default'), `must not be set in top-level ${name}`))
      else yield* this.#checkDefault(property, here)
      yield* this.visit(property, here, isObjectField && name === 'metadata' ? 'objectMetadata' : 'plain')
    }
    yield* this.#visitInner(node, at, level)
  }

  /** Patterns within junctors, however deep. */
  *#visitJunctors({ allOf, anyOf, oneOf, not }: LogicRules, at: FieldPath): Slices<void> {
    for (const [name, schemas] of Object.entries({ allOf, anyOf, oneOf }))
      for (const [index, each] of schemas.entries()) yield* this.patterns(each, at.child(name).index(index))
    if (not) yield* this.patterns(not, at.child('not'))
  }

  /** The patterns of a schema, and of all within it. */
  *patterns(node: SchemaNode, at: FieldPath): Slices<void> {
    if (this.#isDue(nodeSize)) yield
    yield* this.#checkPattern(node.values.pattern, at.child('pattern'))
    if (node.logic) yield* this.#visitJunctors(node.logic, at)
    for (const [name, property] of node.properties) yield* this.patterns(property, at.child('properties').key(name))
    if (typeof node.additional === 'object') yield* this.patterns(node.additional, at.child('additionalProperties'))
    if (node.items) yield* this.patterns(node.items, at.child('items'))
  }

  *#visitInner(node: SchemaNode, at: FieldPath, level: Level): Slices<void> {
    const inner: readonly [SchemaNode | true | undefined, string][] = [
      [node.additional, 'additionalProperties'],
      [node.items, 'items'],
    ]
    for (const [child, name] of inner) {
      if (typeof child !== 'object') continue
      const here = at.child(name)
      if (level === 'objectMetadata' && name === 'additionalProperties' && child.default !== undefined) {
        const why = 'must not be set inside additionalProperties applying to object metadata'
        this.#errors.push(fieldErrors.forbidden(here.child('default'), why))
      } else yield* this.#checkDefault(child, here)
      yield* this.visit(child, here, 'plain')
    }
  }

  *#checkDefault(node: SchemaNode, at: FieldPath): Slices<void> {
    const value = node.default
    if (value === undefined) return
    const path = at.child('default')
    const isLarge = countValues(value, largeValuesMin) > largeValuesMin
    if (isLarge) yield
    const pruned = isLarge ? yield* copyObjectInSlices(value, new Pace()) : copyObject(value)
    if (isLarge) yield
    prune(node, pruned, undefined, node.embedded)
    if (isLarge) yield
    if (!(isLarge ? yield* deepEqualInSlices(pruned, value) : deepEqual(pruned, value))) {
      this.#errors.push(fieldErrors.invalid(path, value, 'must not have unknown fields'))
      return
    }
    const found = yield* this.#findingsOf(node, value, path)
    const seen = new Set<string>()
    for (const error of found) {
      const text = `${error.field} ${error.message}`
      if (!seen.has(text)) this.#errors.push(error)
      seen.add(text)
    }
  }

  /** The engine's text names the place within the default value; the field is that of the definition. */
  *#findingsOf(node: SchemaNode, value: unknown, path: FieldPath): Slices<FieldError[]> {
    const located = (error: FieldError): FieldError => ({ ...error, field: joined(path, error.field) })
    const ofSchema = yield* validateValue(node, value, undefined, createPatterns(), rootPlace)
    const found = [
      ...ofSchema.map(located),
      ...validateEmbedded(node, value).map((error) => ({
        ...error,
        message: `must result in valid metadata: ${error.message}`,
        field: `${path}.${error.field}`,
      })),
    ]
    if (found.length > 0 || !node.below.rules) return found
    const rules = createRuleSet(node, this.#engine.environment)
    if (this.#isDue(sizeASlice / 10)) yield
    for (const old of [value, undefined]) {
      const { errors } = yield* rules.validate(value, old)
      found.push(...errors.map(located))
    }
    return found
  }

  *#checkPattern(pattern: string, at: FieldPath): Slices<void> {
    if (pattern === '') return
    const { patterns } = this.#engine
    if (this.#isDue(patterns.cost(pattern))) yield
    const why = patterns.fault(pattern)
    if (why !== undefined)
      this.#errors.push(fieldErrors.invalid(at, pattern, `must be a valid regular expression, but isn't: ${why}`))
  }
}

function joined(path: FieldPath, field: string): string {
  return field === '<nil>' ? String(path) : `${path}.${field}`
}
