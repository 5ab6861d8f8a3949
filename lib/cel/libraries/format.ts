import {
  type Validator,
  validateDns1035Label,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabelValue,
  validateQualifiedName,
} from '../../object/index.ts'
import { type FunctionDeclaration, globalForm, type Library, memberForm, type Overload } from '../check/function.ts'
import { exactly, scaled } from '../check/range.ts'
import { types } from '../check/types.ts'
import { costs, regexCost, sizeOf } from '../run/cost.ts'
import { parseDate, parseTimestamp } from '../run/time.ts'
import { ArrayList, Opaque, Optional, type Value } from '../run/values.ts'
import { parseRequestUri } from './uri.ts'

const { string } = types

/** A named format of texts (kubernetes.NamedFormat). */
class FormatValue extends Opaque {
  readonly name: string
  readonly validate: Validator
  /** The length of the pattern, for the cost of a check. */
  readonly patternSize: number
  constructor(name: string, validate: Validator, patternSize: number) {
    super()
    this.name = name
    this.validate = validate
    this.patternSize = patternSize
  }
  get typeName(): string {
    return 'kubernetes.NamedFormat'
  }
  equals(other: Opaque): boolean {
    return other instanceof FormatValue && this.name === other.name
  }
}

const patternSizeMax = 128

/** As prefixes of generated names: a last dash precedes the generated part. */
const prefix =
  (validate: Validator): Validator =>
  (text) =>
    validate(text.replace(/-$/, 'a'))

const simple =
  (valid: (text: string) => boolean, message: string): Validator =>
  (text) =>
    valid(text) ? [] : [message]

const uri: Validator = (text) => {
  const parsed = parseRequestUri(text)
  return typeof parsed === 'string' ? [parsed] : []
}

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i
const base64 =
  /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/
const datetime = (text: string): boolean => parseTimestamp(text.replace(/^(\S{10}) /, '$1T')) !== undefined

/** Name, check, and the size of the check's pattern. */
const formats: readonly (readonly [string, Validator, number])[] = [
  ['dns1123Label', validateDns1123Label, 30],
  ['dns1123Subdomain', validateDns1123Subdomain, 60],
  ['dns1035Label', validateDns1035Label, 30],
  ['qualifiedName', validateQualifiedName, 60],
  ['dns1123LabelPrefix', prefix(validateDns1123Label), 30],
  ['dns1123SubdomainPrefix', prefix(validateDns1123Subdomain), 60],
  ['dns1035LabelPrefix', prefix(validateDns1035Label), 30],
  ['labelValue', validateLabelValue, 40],
  ['uri', uri, patternSizeMax],
  ['uuid', simple((text) => uuid.test(text), 'does not match the UUID format'), 80],
  ['byte', simple((text) => base64.test(text), 'invalid base64'), 80],
  ['date', simple((text) => parseDate(text) !== undefined, 'invalid date'), 100],
  ['datetime', simple(datetime, 'invalid datetime'), 100],
]

/** format.named(name), format.<name>(), and validate, which returns the errors of a text. */
export function formatLibrary(): Library {
  const format = types.opaque('kubernetes.NamedFormat')
  const known = new Map(formats.map(([name, validate, size]) => [name, new FormatValue(name, validate, size)]))
  const estimate: Overload['estimate'] = ([, text]) => {
    const read = scaled(text?.size ?? exactly(1), costs.traversal)
    return { cost: scaled(read, patternSizeMax * costs.regex) }
  }
  const validate = (checked: FormatValue, text: string): Value => {
    const findings = checked.validate(text)
    return new Optional(findings.length === 0 ? undefined : new ArrayList(findings))
  }
  const constants: FunctionDeclaration[] = Array.from(known, ([name, value]) => ({
    name: `format.${name}`,
    overloads: [globalForm(`format.${name}`, [], format, () => value)],
  }))
  return {
    name: 'format',
    types: [format],
    functions: [
      ...constants,
      {
        name: 'format.named',
        overloads: [
          globalForm('format-named', [string], types.optional(format), (name: string) => new Optional(known.get(name))),
        ],
      },
      {
        name: 'validate',
        overloads: [
          memberForm('format-validate', [format, string], types.optional(types.list(string)), validate, {
            cost: (of, text) => (of instanceof FormatValue ? regexCost(sizeOf(text), of.patternSize) : 1),
            estimate,
          }),
        ],
      },
    ],
  }
}
