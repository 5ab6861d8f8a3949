import { isRecord } from '../../base/index.ts'
import { type FieldError, type FieldPath, fieldErrors, immutableText, semanticEqual } from '../../object/index.ts'
import type { Field } from '../../schema/index.ts'
import { covered } from './covered.ts'
import { formats, textsOf } from './formats.ts'
import { uniqueItems, uniqueKeys } from './unique.ts'
import { isAbsent, isNumber } from './value.ts'

/** The value that a rule is applied to. */
interface Subject {
  readonly value: unknown
  /** Undefined on creation, and when the old object has no counterpart. */
  readonly old: unknown
  readonly isUpdate: boolean
  readonly path: FieldPath
}

/** One compiled rule of a field. */
export interface DeclaredRule {
  /** It applies to an absent field, too. */
  readonly ofAbsent?: true
  check(errors: FieldError[], subject: Subject): void
  /**
   * True for an error that this rule reports, even if other code reported it. `below` is the rest of its path after the
   * field's: '', `[2]`, `.name`.
   */
  covers(finding: FieldError, below: string): boolean
}

/** A rule of a table, without its stage and its gate; undefined when the gate disables it. */
export function ruleInForce(text: string, gate: (name: string) => boolean): string | undefined {
  const [plain = ''] = text.split(/ [@#]/)
  const [, when, name = '', rule = ''] = /^if(Enabled|Disabled)\("?([A-Za-z]+)"?\)=(.*)$/s.exec(plain) ?? []
  if (when === undefined) return plain
  return gate(name) === (when === 'Enabled') ? rule : undefined
}

/** Compiles a rule in force; undefined for markers, and for rules that are left to the kinds' own. */
export function compileRule(text: string, field: Field): DeclaredRule | undefined {
  const equals = text.indexOf('=')
  const name = equals < 0 ? text : text.slice(0, equals)
  const argument = equals < 0 ? '' : text.slice(equals + 1).replace(/^"|"$/g, '')
  const nested = /^subfield\((.+)\)$/.exec(name)?.[1]
  if (nested !== undefined) return subfield(nested, argument, field)
  return rules[name]?.(argument, field)
}

type Maker = (argument: string, field: Field) => DeclaredRule | undefined

const rules: Readonly<Record<string, Maker>> = {
  required: (_argument, field) => ({
    ofAbsent: true,
    check: (errors, { value, path }) => {
      if (isAbsent(field, value)) errors.push(fieldErrors.required(path))
    },
    covers: covered.byReason('FieldValueRequired'),
  }),
  forbidden: (_argument, field) => ({
    check: (errors, { value, path }) => {
      if (!isAbsent(field, value)) errors.push(fieldErrors.forbidden(path, ''))
    },
    covers: covered.byReason('FieldValueForbidden'),
  }),
  immutable: () => ({
    ofAbsent: true,
    check: (errors, { value, old, isUpdate, path }) => {
      if (isUpdate && !semanticEqual(value ?? null, old ?? null)) errors.push(fieldErrors.immutable(path, value))
    },
    covers: covered.byText([immutableText]),
  }),
  update: (argument, field) => {
    const text = updateTexts[argument]
    if (text === undefined) return undefined
    return {
      ofAbsent: true,
      check: (errors, { value, old, isUpdate, path }) => {
        if (isUpdate && updateOf(field, value, old) === argument) errors.push(fieldErrors.invalid(path, value, text))
      },
      covers: covered.byText([text]),
    }
  },
  minimum: (argument) => {
    const text = `must be greater than or equal to ${argument}`
    return {
      check: (errors, { value, path }) => {
        if (isNumber(value) && value < Number(argument)) errors.push(fieldErrors.invalid(path, value, text))
      },
      covers: covered.byText([text]),
    }
  },
  maximum: (argument) => {
    const text = `must be less than or equal to ${argument}`
    return {
      check: (errors, { value, path }) => {
        if (isNumber(value) && value > Number(argument)) errors.push(fieldErrors.invalid(path, value, text))
      },
      covers: covered.byText([text]),
    }
  },
  maxItems: (argument) => ({
    check: (errors, { value, path }) => {
      if (Array.isArray(value) && value.length > Number(argument))
        errors.push(fieldErrors.tooMany(path, value.length, Number(argument)))
    },
    covers: covered.byReason('FieldValueTooMany'),
  }),
  maxLength: (argument) => ({
    check: (errors, { value, path }) => {
      if (typeof value === 'string' && Array.from(value).length > Number(argument))
        errors.push(fieldErrors.tooLongCharacters(path, Number(argument)))
    },
    covers: covered.byReason('FieldValueTooLong'),
  }),
  maxBytes: (argument) => ({
    check: (errors, { value, path }) => {
      if (typeof value === 'string' && Buffer.byteLength(value) > Number(argument))
        errors.push(fieldErrors.tooLong(path, Number(argument)))
    },
    covers: covered.byReason('FieldValueTooLong'),
  }),
  format: (argument, field) => {
    const validate = formats[argument]
    return (
      validate && {
        check: (errors, { value, path }) => {
          if (typeof value !== 'string' || isAbsent(field, value)) return
          for (const finding of validate(value)) errors.push(fieldErrors.invalid(path, value, finding))
        },
        covers: covered.byText(textsOf(validate)),
      }
    )
  },
  enum: (_argument, field) => {
    const { enum: allowed = [] } = field
    if (allowed.length === 0) return undefined
    return {
      check: (errors, { value, path }) => {
        if (typeof value === 'string' && !isAbsent(field, value) && !allowed.includes(value))
          errors.push(fieldErrors.notSupported(path, value, allowed.toSorted()))
      },
      covers: covered.byReason('FieldValueNotSupported'),
    }
  },
  unique: (argument, field) => (argument === 'map' ? uniqueKeys(field) : uniqueItems),
  listType: (argument, field) =>
    argument === 'set' ? uniqueItems : argument === 'map' ? uniqueKeys(field) : undefined,
  eachKey: (argument, field) => {
    const rule = compileRule(argument, field)
    return (
      rule && {
        check: (errors, { value, isUpdate, path }) => {
          for (const key of Object.keys((value ?? {}) as object))
            rule.check(errors, { value: key, old: undefined, isUpdate, path })
        },
        covers: rule.covers,
      }
    )
  },
  eachVal: (argument, field) => {
    const rule = compileRule(argument, field)
    return (
      rule && {
        check: (errors, { value, isUpdate, path }) => {
          if (Array.isArray(value))
            value.forEach((item, index) =>
              rule.check(errors, { value: item, old: undefined, isUpdate, path: path.index(index) }),
            )
        },
        covers: covered.ofItems(rule.covers),
      }
    )
  },
}

const updateTexts: Readonly<Record<string, string>> = {
  NoSet: 'field cannot be set once created',
  NoUnset: 'field cannot be cleared once set',
  NoModify: 'field cannot be modified once set',
}

/** The rule that this change of a field violates, if present. */
function updateOf(field: Field, value: unknown, old: unknown): string | undefined {
  if (semanticEqual(value ?? null, old ?? null)) return undefined
  if (isAbsent(field, old)) return isAbsent(field, value) ? undefined : 'NoSet'
  return isAbsent(field, value) ? 'NoUnset' : 'NoModify'
}

function subfield(name: string, text: string, { type }: Field): DeclaredRule | undefined {
  const field = type.is === 'struct' ? type.byName.get(name) : undefined
  const rule = field && compileRule(text, field)
  const of = (holder: unknown): unknown => (isRecord(holder) ? holder[name] : undefined)
  return (
    rule && {
      check: (errors, { value, old, isUpdate, path }) =>
        rule.check(errors, { value: of(value), old: of(old), isUpdate, path: path.child(name) }),
      covers: covered.ofChild(name, rule.covers),
    }
  )
}
