import { runSlices } from '../../base/index.ts'
import { copyObject, deepEqual, type FieldError, type FieldPath, fieldErrors } from '../../object/index.ts'
import type { Environment } from '../../cel/index.ts'
import { validateEmbedded } from '../schema/embedded.ts'
import type { SchemaNode } from '../schema/node.ts'
import { createPatterns } from '../schema/patterns.ts'
import { rootPlace } from '../schema/place.ts'
import { prune } from '../schema/prune.ts'
import { createRuleSet } from '../schema/rules.ts'
import { validateValue } from '../schema/validate.ts'
import { RE2JS } from 're2js'

/** Checks the default values and the patterns of a schema: defaults are valid themselves, patterns compile. */
export function checkValues(errors: FieldError[], root: SchemaNode, at: FieldPath, environment: Environment): void {
  visit(errors, root, at, environment, 'root')
}

type Level = 'root' | 'objectMetadata' | 'plain'

function visit(errors: FieldError[], node: SchemaNode, at: FieldPath, environment: Environment, level: Level): void {
  checkPattern(errors, node.values.pattern, at.child('pattern'))
  for (const name of [...node.properties.keys()].sort()) {
    const property = node.properties.get(name)
    if (!property) continue
    const here = at.child('properties').key(name)
    const isObjectField = level === 'root' && ['metadata', 'kind', 'apiVersion'].includes(name)
    if (isObjectField && property.default !== undefined)
      errors.push(fieldErrors.forbidden(here.child('default'), `must not be set in top-level ${name}`))
    else checkDefault(errors, property, here, environment)
    visit(errors, property, here, environment, isObjectField && name === 'metadata' ? 'objectMetadata' : 'plain')
  }
  const inner: readonly [SchemaNode | true | undefined, string][] = [
    [node.additional, 'additionalProperties'],
    [node.items, 'items'],
  ]
  for (const [child, name] of inner) {
    if (typeof child !== 'object') continue
    const here = at.child(name)
    if (level === 'objectMetadata' && name === 'additionalProperties' && child.default !== undefined) {
      const why = 'must not be set inside additionalProperties applying to object metadata'
      errors.push(fieldErrors.forbidden(here.child('default'), why))
    } else checkDefault(errors, child, here, environment)
    visit(errors, child, here, environment, 'plain')
  }
  for (const [index, each] of (node.logic?.allOf ?? []).entries())
    checkPattern(errors, each.values.pattern, at.child('allOf').index(index).child('pattern'))
}

function checkDefault(errors: FieldError[], node: SchemaNode, at: FieldPath, environment: Environment): void {
  const value = node.default
  if (value === undefined) return
  const path = at.child('default')
  const pruned = copyObject(value)
  prune(node, pruned, undefined, node.embedded)
  if (!deepEqual(pruned, value)) {
    errors.push(fieldErrors.invalid(path, value, 'must not have unknown fields'))
    return
  }
  // The engine's text names the place within the default value; the field is that of the definition.
  const found = [
    ...runSlices(validateValue(node, value, undefined, createPatterns(), rootPlace)).map((error) => ({
      ...error,
      field: joined(path, error.field),
    })),
    ...validateEmbedded(node, value).map((error) => ({
      ...error,
      message: `must result in valid metadata: ${error.message}`,
      field: `${path}.${error.field}`,
    })),
  ]
  if (found.length === 0 && node.below.rules) {
    const rules = createRuleSet(node, environment)
    for (const old of [value, undefined])
      found.push(
        ...runSlices(rules.validate(value, old)).errors.map((error) => ({
          ...error,
          field: joined(path, error.field),
        })),
      )
  }
  const seen = new Set<string>()
  for (const error of found) {
    const text = `${error.field} ${error.message}`
    if (!seen.has(text)) errors.push(error)
    seen.add(text)
  }
}

function joined(path: FieldPath, field: string): string {
  return field === '<nil>' ? String(path) : `${path}.${field}`
}

function checkPattern(errors: FieldError[], pattern: string, at: FieldPath): void {
  if (pattern === '') return
  try {
    RE2JS.compile(pattern)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    errors.push(fieldErrors.invalid(at, pattern, `must be a valid regular expression, but isn't: ${why}`))
  }
}
