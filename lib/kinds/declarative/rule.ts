import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  semanticEqual,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateDns1123SubdomainCaseless,
  validatePathSegmentName,
  validateQualifiedName,
  type Validator,
} from '../../object/index.ts'
import type { Field } from '../../schema/index.ts'

/** What a rule looks at. */
export interface Subject {
  readonly value: unknown
  /** Undefined on creation, and where the old object has nothing to compare with. */
  readonly old: unknown
  readonly isUpdate: boolean
  readonly path: FieldPath
}

/** One compiled rule of a field. */
export type Rule = (errors: FieldError[], subject: Subject) => void

/** Compiles a rule as tables state it; undefined for markers, and for rules of gates that are off. */
export function compileRule(text: string, field: Field, gate: (name: string) => boolean): Rule | undefined {
  const [plain = ''] = text.split(/ [@#]/)
  const gated = /^if(Enabled|Disabled)\("?([A-Za-z]+)"?\)=(.*)$/s.exec(plain)
  if (gated)
    return gate(gated[2] ?? '') === (gated[1] === 'Enabled') ? compileRule(gated[3] ?? '', field, gate) : undefined
  const equals = plain.indexOf('=')
  const name = equals < 0 ? plain : plain.slice(0, equals)
  const argument = equals < 0 ? '' : plain.slice(equals + 1).replace(/^"|"$/g, '')
  const nested = /^subfield\((.+)\)$/.exec(name)
  if (nested) return subfield(nested[1] ?? '', compileRule(argument, field, gate))
  return rules[name]?.(argument, field, gate)
}

type Maker = (argument: string, field: Field, gate: (name: string) => boolean) => Rule | undefined

const rules: Readonly<Record<string, Maker>> = {
  required:
    () =>
    (errors, { value, path }) => {
      if (isUnset(value)) errors.push(fieldErrors.required(path))
    },
  forbidden:
    () =>
    (errors, { value, path }) => {
      if (!isUnset(value)) errors.push(fieldErrors.forbidden(path, ''))
    },
  immutable:
    () =>
    (errors, { value, old, isUpdate, path }) => {
      if (isUpdate && !semanticEqual(value ?? null, old ?? null))
        errors.push(fieldErrors.invalid(path, value, 'field is immutable'))
    },
  update:
    (argument) =>
    (errors, { value, old, isUpdate, path }) => {
      if (!isUpdate || semanticEqual(value ?? null, old ?? null)) return
      const [had, has] = [!isUnset(old), !isUnset(value)]
      if (argument === 'NoSet' && !had && has)
        errors.push(fieldErrors.invalid(path, value, 'field cannot be set once created'))
      if (argument === 'NoUnset' && had && !has)
        errors.push(fieldErrors.invalid(path, value, 'field cannot be cleared once set'))
      if (argument === 'NoModify' && had && has)
        errors.push(fieldErrors.invalid(path, value, 'field cannot be modified once set'))
    },
  minimum:
    (argument) =>
    (errors, { value, path }) => {
      if (isNumber(value) && value < Number(argument))
        errors.push(fieldErrors.invalid(path, value, `must be greater than or equal to ${argument}`))
    },
  maximum:
    (argument) =>
    (errors, { value, path }) => {
      if (isNumber(value) && value > Number(argument))
        errors.push(fieldErrors.invalid(path, value, `must be less than or equal to ${argument}`))
    },
  maxItems:
    (argument) =>
    (errors, { value, path }) => {
      if (Array.isArray(value) && value.length > Number(argument))
        errors.push(fieldErrors.tooMany(path, value.length, Number(argument)))
    },
  maxLength:
    (argument) =>
    (errors, { value, path }) => {
      if (typeof value === 'string' && Array.from(value).length > Number(argument))
        errors.push(fieldErrors.tooLongCharacters(path, Number(argument)))
    },
  maxBytes:
    (argument) =>
    (errors, { value, path }) => {
      if (typeof value === 'string' && Buffer.byteLength(value) > Number(argument))
        errors.push(fieldErrors.tooLong(path, Number(argument)))
    },
  format: (argument) => formatRule(formats[argument]),
  enum:
    (_argument, field) =>
    (errors, { value, path }) => {
      const allowed = field.enum ?? []
      if (typeof value === 'string' && value !== '' && allowed.length > 0 && !allowed.includes(value))
        errors.push(fieldErrors.notSupported(path, value, allowed.toSorted()))
    },
  unique: (argument, field) => (argument === 'map' ? uniqueKeys(field) : uniqueItems),
  listType: (argument, field) =>
    argument === 'set' ? uniqueItems : argument === 'map' ? uniqueKeys(field) : undefined,
  eachKey: (argument, field, gate) => {
    const rule = compileRule(argument, field, gate)
    return (
      rule &&
      ((errors, { value, isUpdate, path }) => {
        for (const key of Object.keys((value ?? {}) as object))
          rule(errors, { value: key, old: undefined, isUpdate, path })
      })
    )
  },
  eachVal: (argument, field, gate) => {
    const rule = compileRule(argument, field, gate)
    return (
      rule &&
      ((errors, { value, isUpdate, path }) => {
        if (Array.isArray(value))
          value.forEach((item, index) =>
            rule(errors, { value: item, old: undefined, isUpdate, path: path.index(index) }),
          )
      })
    )
  },
}

const formats: Readonly<Record<string, Validator>> = {
  'k8s-short-name': validateDns1123Label,
  'k8s-long-name': validateDns1123Subdomain,
  'k8s-long-name-caseless': validateDns1123SubdomainCaseless,
  'k8s-label-key': validateQualifiedName,
  'k8s-path-segment-name': validatePathSegmentName,
  'k8s-resource-pool-name': (value) => value.split('/').flatMap((part) => validateDns1123Subdomain(part)),
  'k8s-uuid': (value) =>
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(value)
      ? []
      : ['must be a lowercase UUID in 8-4-4-4-12 format'],
}

/** Formats that are not known here are left to the kind's own rules. */
function formatRule(validate: Validator | undefined): Rule | undefined {
  return (
    validate &&
    ((errors, { value, path }) => {
      if (typeof value !== 'string' || value === '') return
      for (const finding of validate(value)) errors.push(fieldErrors.invalid(path, value, finding))
    })
  )
}

function subfield(name: string, rule: Rule | undefined): Rule | undefined {
  const of = (holder: unknown): unknown => (isRecord(holder) ? holder[name] : undefined)
  return (
    rule &&
    ((errors, { value, old, isUpdate, path }) =>
      rule(errors, { value: of(value), old: of(old), isUpdate, path: path.child(name) }))
  )
}

const uniqueItems: Rule = (errors, { value, path }) => {
  if (!Array.isArray(value)) return
  value.forEach((item, index) => {
    if (value.slice(0, index).some((before) => semanticEqual(before, item)))
      errors.push(fieldErrors.duplicate(path.index(index), item))
  })
}

function uniqueKeys(field: Field): Rule | undefined {
  const keys = field.type.is === 'list' ? field.type.keys : []
  if (keys.length === 0) return undefined
  const keyOf = (item: unknown): string => JSON.stringify(keys.map((key) => (isRecord(item) ? (item[key] ?? '') : '')))
  return (errors, { value, path }) => {
    if (!Array.isArray(value)) return
    const seen = new Set<string>()
    value.forEach((item, index) => {
      const key = keyOf(item)
      if (seen.has(key)) {
        const shown = Object.fromEntries(keys.map((name) => [name, isRecord(item) ? item[name] : undefined]))
        errors.push(fieldErrors.duplicate(path.index(index), shown))
      }
      seen.add(key)
    })
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isUnset(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (isRecord(value) && Object.keys(value).length === 0)
  )
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}
