import { isRecord, unlimitedWork, type WorkLimit } from '../../base/index.ts'
import { deepEqual, type FieldError, fieldErrors, jsonText } from '../../object/index.ts'
import { correlateItems, fieldOf } from './correlate.ts'
import { hasFormat } from './formats.ts'
import { codePoints, fits, isInteger, isMultiple, typeName } from './jsontypes.ts'
import type { LogicRules, SchemaNode, ValueRules } from './node.ts'
import { fitsFormat } from './numberranges.ts'
import type { Patterns } from './patterns.ts'
import { ValidationWork } from './validationwork.ts'
import { rootPath, type ValuePath } from './valuepath.ts'

/**
 * Validates an object by its schema, with the stock engine's texts. `old`: the value that it replaces; an unchanged
 * value is accepted with all its errors (ratcheting).
 */
export function validateValue(
  node: SchemaNode,
  value: unknown,
  old: unknown,
  { patterns, work: limit = unlimitedWork, at = rootPath, equal = deepEqual }: ValidationOptions,
): FieldError[] {
  const work = new ValidationWork(limit)
  const validator = new Validator(patterns, work, equal)
  validator.visit(node, value, old, at)
  const { errors } = validator
  // Reported here and not where it happened: the failure of one of several schemas, or of an unchanged value, is
  // dropped.
  if (work.isOver)
    errors.push(fieldErrors.invalidBare('<nil>', 'the object is too large to be validated by its schema'))
  return errors
}

interface ValidationOptions {
  readonly patterns: Patterns
  /** Default: without a limit. */
  readonly work?: WorkLimit
  /** Place of the value in its object. Default: the object itself. */
  readonly at?: ValuePath
  readonly equal?: Equal
}

/** Whether a value is unchanged. */
type Equal = (value: unknown, old: unknown) => boolean

/** Maximum number of reported errors. */
const errorsMax = 1000
const errorCharactersMax = 1_000_000

class Validator {
  readonly errors: FieldError[] = []
  /**
   * The number of checks that a value has passed: when several schemas all fail, the errors of the closest are
   * reported.
   */
  passed = 0
  #characters = 0
  readonly #patterns: Patterns
  /** The work of all branches together. */
  readonly #work: ValidationWork
  readonly #equal: Equal

  constructor(patterns: Patterns, work: ValidationWork, equal: Equal) {
    this.#patterns = patterns
    this.#work = work
    this.#equal = equal
  }

  visit(node: SchemaNode, value: unknown, old: unknown, at: ValuePath): void {
    const before = this.errors.length
    if (!this.#begins()) return
    this.#checkType(node, value, at)
    if (node.logic) this.#checkLogic(node.logic, value, at)
    if (Array.isArray(value)) {
      const { items } = node
      const oldOf = correlateItems(node, old)
      for (let index = 0; items && index < value.length; index++)
        this.visit(items, value[index], oldOf(value[index]), at.index(index))
      this.#checkItemCount(node, value, at)
    } else this.#checkScalar(node, value, at)
    if (node.values.enum) this.#checkEnum(node.values.enum, node, value, at)
    if (isRecord(value)) {
      const keys = Object.keys(value)
      this.#checkPropertyCount(node, keys.length, at)
      for (const key of keys) {
        const inner = propertyOf(node, key)
        if (inner) this.visit(inner, value[key], fieldOf(old, key), at.field(key))
      }
      this.#checkRequired(node, value, at)
    }
    this.#forgiveUnchanged(before, value, old)
  }

  #begins(): boolean {
    this.#work.note(1)
    this.#work.check()
    return !this.#isFull && !this.#work.isOver
  }

  get #isFull(): boolean {
    return this.errors.length >= errorsMax || this.#characters >= errorCharactersMax
  }

  #report(error: FieldError): void {
    this.errors.push(error)
    this.#characters += error.message.length
  }

  #reportAll(errors: readonly FieldError[]): void {
    for (const error of errors) if (!this.#isFull) this.#report(error)
  }

  #forgiveUnchanged(before: number, value: unknown, old: unknown): void {
    if (this.errors.length > before && old !== undefined && this.#equal(value, old)) this.errors.length = before
  }

  #checkScalar(node: SchemaNode, value: unknown, at: ValuePath): void {
    if (typeof value === 'string') this.#checkText(node.values, value, at)
    else if (typeof value === 'number' || typeof value === 'bigint') this.#checkNumber(node, value, at)
  }

  #checkType(node: SchemaNode, value: unknown, at: ValuePath): void {
    const { type, nullable, intOrString } = node
    if (value === null) {
      if (nullable || (type === '' && !intOrString)) return void this.passed++
    } else if (intOrString) {
      if (typeof value === 'string' || isInteger(value)) return void this.passed++
    } else if (type === '' || fits(type, value)) return void this.passed++
    const wanted = intOrString ? 'integer,string' : type
    const found = typeName(value)
    const detail = `${at.text()} in body must be of type ${wanted}: ${JSON.stringify(found)}`
    this.#report(fieldErrors.typeInvalid(at.label(), found, detail))
  }

  #checkText(rules: ValueRules, value: string, at: ValuePath): void {
    const { maxLength, minLength, pattern, format } = rules
    this.#work.noteText(value)
    if (maxLength !== undefined || minLength !== undefined) {
      const count = codePoints(value)
      if (maxLength !== undefined && count > maxLength)
        return this.#report(fieldErrors.tooLong(at.text() || '<nil>', maxLength))
      if (minLength !== undefined && count < minLength)
        return this.#invalid(at, value, `should be at least ${minLength} chars long`)
    }
    if (pattern !== '' && !this.#patterns.matches(pattern, value, this.#work))
      return this.#invalid(at, value, `should match '${pattern}'`)
    if (format === '' || hasFormat(format, value)) return void this.passed++
    const detail = `${at.text()} in body must be of type ${format}: ${JSON.stringify(value)}`
    this.#report(fieldErrors.typeInvalid(at.text() || '<nil>', value, detail))
  }

  #checkNumber({ type, values }: SchemaNode, value: number | bigint, at: ValuePath): void {
    const { multipleOf, maximum, minimum, exclusiveMaximum, exclusiveMinimum, format } = values
    const before = this.errors.length
    if (!fitsFormat(type, format, value)) {
      const form = format === '' ? '(default format)' : `with format ${format}`
      const why = `Checked value must be of type ${type} ${form} in ${at.text()}`
      this.#report(fieldErrors.invalid('<nil>', '', why))
    }
    if (multipleOf !== undefined && !isMultiple(Number(value), multipleOf))
      this.#invalid(at, value, `should be a multiple of ${multipleOf}`)
    if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum))
      this.#invalid(at, value, `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`)
    if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum))
      this.#invalid(at, value, `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`)
    if (this.errors.length === before) this.passed++
  }

  #checkItemCount({ values: { minItems, maxItems } }: SchemaNode, value: readonly unknown[], at: ValuePath): void {
    if (minItems !== undefined && value.length < minItems)
      this.#invalid(at, value.length, `should have at least ${minItems} items`)
    if (maxItems !== undefined && value.length > maxItems)
      this.#report(fieldErrors.tooMany(at.text() || '<nil>', value.length, maxItems))
  }

  #checkEnum(
    allowed: readonly unknown[],
    { nullable, values: { enumScalars } }: SchemaNode,
    value: unknown,
    at: ValuePath,
  ): void {
    if (enumScalars.has(value) || (value === null && nullable)) return void this.passed++
    this.#work.note(allowed.length)
    if (typeof value !== 'string' && allowed.some((one) => deepEqual(one, value))) return void this.passed++
    const shown = allowed.map((one) => (typeof one === 'string' ? one : jsonText(one)))
    this.#report(fieldErrors.notSupported(at.text() || '<nil>', value, shown))
  }

  #checkPropertyCount({ values: { minProperties, maxProperties } }: SchemaNode, count: number, at: ValuePath): void {
    if (minProperties !== undefined && count < minProperties)
      this.#invalid(at, count, `should have at least ${minProperties} properties`)
    if (maxProperties !== undefined && count > maxProperties)
      this.#report(fieldErrors.tooMany(at.text() || '<nil>', count, maxProperties))
  }

  #checkRequired({ values: { required } }: SchemaNode, value: Record<string, unknown>, at: ValuePath): void {
    for (const name of required)
      if (Object.hasOwn(value, name)) this.passed++
      else this.#report(fieldErrors.required(at.field(name).text()))
  }

  /** Within combined schemas no part is compared with its old value: only the value as a whole may be unchanged. */
  #checkLogic(rules: LogicRules, value: unknown, at: ValuePath): void {
    const { allOf, anyOf, oneOf, not } = rules
    if (anyOf.length > 0) this.#checkAnyOf(anyOf, value, at)
    if (oneOf.length > 0) this.#checkOneOf(oneOf, value, at)
    if (allOf.length > 0) {
      let valid = 0
      for (const each of allOf) {
        const { errors, passed } = this.#branch(each, value, at)
        if (errors.length === 0) valid++
        this.#reportAll(errors)
        this.passed += passed
      }
      if (valid !== allOf.length)
        this.#composite(at, `must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`)
    }
    if (not && this.#branch(not, value, at).errors.length === 0)
      this.#composite(at, 'must not validate the schema (not)')
  }

  #branch(node: SchemaNode, value: unknown, at: ValuePath): Validator {
    const inner = new Validator(this.#patterns, this.#work, this.#equal)
    inner.visit(node, value, undefined, at)
    return inner
  }

  #checkAnyOf(anyOf: readonly SchemaNode[], value: unknown, at: ValuePath): void {
    let nearest: Validator | undefined
    for (const each of anyOf) {
      const inner = this.#branch(each, value, at)
      if (inner.errors.length === 0) return void this.passed++
      if (!nearest || inner.passed > nearest.passed) nearest = inner
    }
    this.#composite(at, 'must validate at least one schema (anyOf)')
    this.#reportAll(nearest?.errors ?? [])
  }

  #checkOneOf(oneOf: readonly SchemaNode[], value: unknown, at: ValuePath): void {
    let nearest: Validator | undefined
    let valid = 0
    for (const each of oneOf) {
      const inner = this.#branch(each, value, at)
      if (inner.errors.length === 0) valid++
      else if (valid === 0 && (!nearest || inner.passed > nearest.passed)) nearest = inner
    }
    if (valid === 1) return void this.passed++
    const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`
    this.#composite(at, `must validate one and only one schema (oneOf). ${found}`)
    if (valid === 0) this.#reportAll(nearest?.errors ?? [])
  }

  /** Reports several schemas together, at no single field. */
  #composite(at: ValuePath, why: string): void {
    this.#report(fieldErrors.invalid('<nil>', '', `${JSON.stringify(at.text())} ${why}`))
  }

  #invalid(at: ValuePath, value: unknown, why: string): void {
    const path = at.text()
    this.#report(fieldErrors.invalid(path || '<nil>', value, `${path} in body ${why}`))
  }
}

function propertyOf({ properties, additional }: SchemaNode, key: string): SchemaNode | undefined {
  return properties.get(key) ?? (typeof additional === 'object' ? additional : undefined)
}
