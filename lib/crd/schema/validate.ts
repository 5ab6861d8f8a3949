import { isRecord } from '../../base/index.ts'
import { deepEqual, type FieldError, fieldErrors, jsonText } from '../../object/index.ts'
import { correlateItems, fieldOf } from './correlate.ts'
import { hasFormat } from './formats.ts'
import type { LogicRules, SchemaNode, ValueRules } from './node.ts'
import type { Patterns } from './patterns.ts'
import { type Place, rootPlace } from './place.ts'

/**
 * Validates an object by its schema, in the words of the stock server's engine. `old`: the value that it replaces; a
 * value that is unchanged passes with all its faults (ratcheting).
 */
export function validateValue(
  node: SchemaNode,
  value: unknown,
  old: unknown,
  patterns: Patterns,
  at: Place = rootPlace,
): FieldError[] {
  const validator = new Validator(patterns, { visits: 0 })
  validator.visit(node, value, old, at)
  return validator.errors
}

/** More errors than anyone reads are not told. */
const errorsMax = 1000
/** Values times schemas that are looked at in one object. */
const visitsMax = 500_000

class Validator {
  errors: FieldError[] = []
  /** The number of checks a value passed: when several schemas all fail, the errors of the nearest are reported. */
  passed = 0
  readonly #patterns: Patterns
  /** The budget of all branches together. */
  readonly #spent: { visits: number }

  constructor(patterns: Patterns, spent: { visits: number }) {
    this.#patterns = patterns
    this.#spent = spent
  }

  visit(node: SchemaNode, value: unknown, old: unknown, at: Place): void {
    const before = this.errors.length
    if (before >= errorsMax) return
    if (++this.#spent.visits > visitsMax) {
      if (this.#spent.visits === visitsMax + 1)
        this.errors.push(fieldErrors.invalidBare('<nil>', 'the object is too large to be validated by its schema'))
      return
    }
    this.#checkType(node, value, at)
    if (node.logic) this.#checkLogic(node.logic, value, old, at)
    if (typeof value === 'string') this.#checkText(node.values, value, at)
    else if (typeof value === 'number' || typeof value === 'bigint') this.#checkNumber(node, value, at)
    else if (Array.isArray(value)) this.#checkList(node, value, old, at)
    if (node.values.enum) this.#checkEnum(node.values.enum, node, value, at)
    if (isRecord(value)) this.#checkObject(node, value, old, at)
    if (this.errors.length > before && old !== undefined && deepEqual(value, old)) this.errors.length = before
  }

  #checkType(node: SchemaNode, value: unknown, at: Place): void {
    const { type, nullable, intOrString } = node
    if (value === null) {
      if (nullable || (type === '' && !intOrString)) return void this.passed++
    } else if (intOrString) {
      if (typeof value === 'string' || isInteger(value)) return void this.passed++
    } else if (type === '' || fits(type, value)) return void this.passed++
    const wanted = intOrString ? 'integer,string' : type
    const found = typeName(value)
    const detail = `${at.text()} in body must be of type ${wanted}: ${JSON.stringify(found)}`
    this.errors.push(fieldErrors.typeInvalid(at.label(), found, detail))
  }

  #checkText(rules: ValueRules, value: string, at: Place): void {
    const { maxLength, minLength, pattern, format } = rules
    if (maxLength !== undefined || minLength !== undefined) {
      const count = codePoints(value)
      if (maxLength !== undefined && count > maxLength)
        return void this.errors.push(fieldErrors.tooLong(at.text() || '<nil>', maxLength))
      if (minLength !== undefined && count < minLength)
        return this.#invalid(at, value, `should be at least ${minLength} chars long`)
    }
    if (pattern !== '' && !this.#patterns.matches(pattern, value))
      return this.#invalid(at, value, `should match '${pattern}'`)
    if (format === '' || hasFormat(format, value)) return void this.passed++
    const detail = `${at.text()} in body must be of type ${format}: ${JSON.stringify(value)}`
    this.errors.push(fieldErrors.typeInvalid(at.text() || '<nil>', value, detail))
  }

  #checkNumber({ type, values }: SchemaNode, value: number | bigint, at: Place): void {
    const { multipleOf, maximum, minimum, exclusiveMaximum, exclusiveMinimum, format } = values
    if (type === 'integer' && !isInteger(value)) {
      const form = format === '' ? '(default format)' : `with format ${format}`
      const why = `Checked value must be of type integer ${form} in ${at.text()}`
      this.errors.push(fieldErrors.invalid('<nil>', '', why))
    }
    if (format === 'int32' && isInteger(value) && (value > 2 ** 31 - 1 || value < -(2 ** 31))) {
      const why = `Checked value must be of type integer with format int32 in ${at.text()}`
      return void this.errors.push(fieldErrors.invalid('<nil>', '', why))
    }
    if (multipleOf !== undefined && !isMultiple(Number(value), multipleOf))
      this.#invalid(at, value, `should be a multiple of ${multipleOf}`)
    if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum))
      this.#invalid(at, value, `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`)
    if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum))
      this.#invalid(at, value, `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`)
    else this.passed++
  }

  #checkList(node: SchemaNode, value: readonly unknown[], old: unknown, at: Place): void {
    const { items, values } = node
    if (items) {
      const oldOf = correlateItems(node, old)
      for (const [index, item] of value.entries()) this.visit(items, item, oldOf(item), at.index(index))
    }
    const { minItems, maxItems } = values
    if (minItems !== undefined && value.length < minItems)
      this.#invalid(at, value.length, `should have at least ${minItems} items`)
    if (maxItems !== undefined && value.length > maxItems)
      this.errors.push(fieldErrors.tooMany(at.text() || '<nil>', value.length, maxItems))
  }

  #checkEnum(
    allowed: readonly unknown[],
    { nullable, values: { enumScalars } }: SchemaNode,
    value: unknown,
    at: Place,
  ): void {
    if (enumScalars.has(value) || (value === null && nullable)) return void this.passed++
    if (typeof value !== 'string' && allowed.some((one) => deepEqual(one, value))) return void this.passed++
    const shown = allowed.map((one) => (typeof one === 'string' ? one : jsonText(one)))
    this.errors.push(fieldErrors.notSupported(at.text() || '<nil>', value, shown))
  }

  #checkObject(node: SchemaNode, value: Record<string, unknown>, old: unknown, at: Place): void {
    const { properties, additional } = node
    const { minProperties, maxProperties, required } = node.values
    if (minProperties !== undefined || maxProperties !== undefined) {
      const count = Object.keys(value).length
      if (minProperties !== undefined && count < minProperties)
        this.#invalid(at, count, `should have at least ${minProperties} properties`)
      if (maxProperties !== undefined && count > maxProperties)
        this.errors.push(fieldErrors.tooMany(at.text() || '<nil>', count, maxProperties))
    }
    for (const key of Object.keys(value)) {
      const inner = properties.get(key) ?? (typeof additional === 'object' ? additional : undefined)
      if (inner) this.visit(inner, value[key], fieldOf(old, key), at.field(key))
    }
    for (const name of required)
      if (Object.hasOwn(value, name)) this.passed++
      else this.errors.push(fieldErrors.required(at.field(name).text()))
  }

  #checkLogic({ allOf, anyOf, oneOf, not }: LogicRules, value: unknown, old: unknown, at: Place): void {
    const branch = (node: SchemaNode): Validator => {
      const inner = new Validator(this.#patterns, this.#spent)
      inner.visit(node, value, old, at)
      return inner
    }
    if (anyOf.length > 0) this.#checkAnyOf(anyOf, branch, at)
    if (oneOf.length > 0) this.#checkOneOf(oneOf, branch, at)
    if (allOf.length > 0) {
      let valid = 0
      for (const each of allOf) {
        const { errors, passed } = branch(each)
        if (errors.length === 0) valid++
        this.errors.push(...errors.slice(0, errorsMax))
        this.passed += passed
      }
      if (valid !== allOf.length)
        this.#composite(at, `must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`)
    }
    if (not && branch(not).errors.length === 0) this.#composite(at, 'must not validate the schema (not)')
  }

  #checkAnyOf(anyOf: readonly SchemaNode[], branch: (node: SchemaNode) => Validator, at: Place): void {
    let nearest: Validator | undefined
    for (const each of anyOf) {
      const inner = branch(each)
      if (inner.errors.length === 0) return void this.passed++
      if (!nearest || inner.passed > nearest.passed) nearest = inner
    }
    this.#composite(at, 'must validate at least one schema (anyOf)')
    this.errors.push(...(nearest?.errors.slice(0, errorsMax) ?? []))
  }

  #checkOneOf(oneOf: readonly SchemaNode[], branch: (node: SchemaNode) => Validator, at: Place): void {
    let nearest: Validator | undefined
    let valid = 0
    for (const each of oneOf) {
      const inner = branch(each)
      if (inner.errors.length === 0) valid++
      else if (valid === 0 && (!nearest || inner.passed > nearest.passed)) nearest = inner
    }
    if (valid === 1) return void this.passed++
    const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`
    this.#composite(at, `must validate one and only one schema (oneOf). ${found}`)
    if (valid === 0) this.errors.push(...(nearest?.errors.slice(0, errorsMax) ?? []))
  }

  /** For several schemas together: no field is to blame. */
  #composite(at: Place, why: string): void {
    this.errors.push(fieldErrors.invalid('<nil>', '', `${JSON.stringify(at.text())} ${why}`))
  }

  #invalid(at: Place, value: unknown, why: string): void {
    const path = at.text()
    this.errors.push(fieldErrors.invalid(path || '<nil>', value, `${path} in body ${why}`))
  }
}

function fits(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isRecord(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return isInteger(value)
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint'
    default:
      return typeof value === type
  }
}

function isInteger(value: unknown): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
}

/** As JSON schema names it. */
function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'bigint') return 'integer'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function codePoints(text: string): number {
  let count = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) count--
  }
  return count
}

/** Fractions that binary numbers can't hold must not spoil it: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, factor: number): boolean {
  if (factor <= 0) return true
  const times = value / factor
  return Number.isInteger(times) || Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times))
}
