import type { WorkLimit } from '../../base/index.ts'
import type { Environment } from '../../cel/index.ts'
import { copyObject, countValues, deepEqual, type FieldError, type FieldPath, fieldErrors } from '../../object/index.ts'
import { validateEmbedded } from '../schema/embedded.ts'
import type { LogicRules, SchemaNode } from '../schema/node.ts'
import { createPatterns } from '../schema/patterns.ts'
import { prune } from '../schema/prune.ts'
import { createRuleSet } from '../schema/rules.ts'
import { validateValue } from '../schema/validate.ts'
import type { PatternSyntax } from './patternsyntax.ts'

/** The parts of the engine that check all definitions. */
export interface CheckEngine {
  /** For stored rules. */
  readonly environment: Environment
  /** For new rules. */
  readonly newRules: Environment
  readonly patterns: PatternSyntax
}

/** Checks the default values and the patterns of a schema: defaults are valid, patterns compile. */
export function checkValues(
  errors: FieldError[],
  root: SchemaNode,
  at: FieldPath,
  engine: CheckEngine,
  work: WorkLimit,
): void {
  new Checker(errors, engine, work).visit(root, at, 'root')
}

/** Checks the patterns alone. */
export function checkPatterns(
  errors: FieldError[],
  root: SchemaNode,
  at: FieldPath,
  engine: CheckEngine,
  work: WorkLimit,
): void {
  new Checker(errors, engine, work).patterns(root, at)
}

/** Number of characters and instructions of patterns, and of weighted nodes, between two looks at the clock. */
const sizePerCheck = 5000
const nodeSize = 5

type Level = 'root' | 'objectMetadata' | 'plain'

class Checker {
  readonly #errors: FieldError[]
  readonly #engine: CheckEngine
  readonly #work: WorkLimit
  #left = sizePerCheck

  constructor(errors: FieldError[], engine: CheckEngine, work: WorkLimit) {
    this.#errors = errors
    this.#engine = engine
    this.#work = work
  }

  /** Throws TooLongHere. */
  #spend(size: number): void {
    this.#left -= size
    if (this.#left > 0) return
    this.#left = sizePerCheck
    this.#work.check()
  }

  visit(node: SchemaNode, at: FieldPath, level: Level): void {
    this.#spend(nodeSize)
    if (level === 'root') this.#checkDefault(node, at)
    this.#checkPattern(node.values.pattern, at.child('pattern'))
    if (node.logic) this.#visitJunctors(node.logic, at)
    for (const name of [...node.properties.keys()].sort()) {
      const property = node.properties.get(name)
      if (!property) continue
      const here = at.child('properties').key(name)
      const isObjectField = level === 'root' && ['metadata', 'kind', 'apiVersion'].includes(name)
      if (isObjectField && property.default !== undefined)
        this.#errors.push(fieldErrors.forbidden(here.child('default'), `must not be set in top-level ${name}`))
      else this.#checkDefault(property, here)
      this.visit(property, here, isObjectField && name === 'metadata' ? 'objectMetadata' : 'plain')
    }
    this.#visitInner(node, at, level)
  }

  /** Visits patterns within junctors, however deep. */
  #visitJunctors({ allOf, anyOf, oneOf, not }: LogicRules, at: FieldPath): void {
    for (const [name, schemas] of Object.entries({ allOf, anyOf, oneOf }))
      for (const [index, each] of schemas.entries()) this.patterns(each, at.child(name).index(index))
    if (not) this.patterns(not, at.child('not'))
  }

  /** Checks the patterns of a schema, and of all schemas within it. */
  patterns(node: SchemaNode, at: FieldPath): void {
    this.#spend(nodeSize)
    this.#checkPattern(node.values.pattern, at.child('pattern'))
    if (node.logic) this.#visitJunctors(node.logic, at)
    for (const [name, property] of node.properties) this.patterns(property, at.child('properties').key(name))
    if (typeof node.additional === 'object') this.patterns(node.additional, at.child('additionalProperties'))
    if (node.items) this.patterns(node.items, at.child('items'))
  }

  #visitInner(node: SchemaNode, at: FieldPath, level: Level): void {
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
      } else this.#checkDefault(child, here)
      this.visit(child, here, 'plain')
    }
  }

  #checkDefault(node: SchemaNode, at: FieldPath): void {
    const value = node.default
    if (value === undefined) return
    const path = at.child('default')
    const pruned = copyObject(value)
    this.#spend(countValues(value, sizePerCheck))
    prune(node, pruned, undefined, node.embedded)
    if (!deepEqual(pruned, value)) {
      this.#errors.push(fieldErrors.invalid(path, value, 'must not have unknown fields'))
      return
    }
    const found = this.#findingsOf(node, value, path)
    const seen = new Set<string>()
    for (const error of found) {
      const text = `${error.field} ${error.message}`
      if (!seen.has(text)) this.#errors.push(error)
      seen.add(text)
    }
  }

  /** The engine's message names the path within the default value; the field is that of the definition. */
  #findingsOf(node: SchemaNode, value: unknown, path: FieldPath): FieldError[] {
    const located = (error: FieldError): FieldError => ({ ...error, field: joined(path, error.field) })
    const ofSchema = validateValue(node, value, undefined, { patterns: createPatterns(), work: this.#work })
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
    this.#spend(sizePerCheck / 10)
    for (const old of [value, undefined]) {
      const { errors } = rules.validate(value, old, this.#work)
      found.push(...errors.map(located))
    }
    return found
  }

  #checkPattern(pattern: string, at: FieldPath): void {
    if (pattern === '') return
    const { patterns } = this.#engine
    this.#spend(patterns.cost(pattern))
    const why = patterns.fault(pattern)
    if (why !== undefined)
      this.#errors.push(fieldErrors.invalid(at, pattern, `must be a valid regular expression, but isn't: ${why}`))
  }
}

function joined(path: FieldPath, field: string): string {
  return field === '<nil>' ? String(path) : `${path}.${field}`
}
