import { quote } from './fielderror.ts'

/** A count, or a percentage such as `25%`, or a name (of a port). */
export type IntOrString = number | string

/** The error that clients see for other types; undefined: the value is an int32 or a string. */
export function intOrStringError(value: unknown): string | undefined {
  if (typeof value === 'string') return undefined
  if (typeof value === 'number' || typeof value === 'bigint') {
    const number = Number(value)
    const fits = Number.isInteger(number) && number >= -2147483648 && number <= 2147483647
    return fits ? undefined : `json: cannot unmarshal number ${value} into Go value of type int32`
  }
  const found = typeof value === 'boolean' ? 'bool' : Array.isArray(value) ? 'array' : 'object'
  return `json: cannot unmarshal ${found} into Go value of type int32`
}

/** `25` of `25%`; undefined for other texts. */
export function percentOf(value: IntOrString): number | undefined {
  if (typeof value === 'number') return undefined
  const digits = /^([+-]?[0-9]+)%$/.exec(value)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The count, or the percentage of `total`. Throws an Error on other strings. */
export function scaledIntOrPercent(value: IntOrString, total: number, round: 'up' | 'down'): number {
  if (typeof value === 'number') return value
  const percent = percentOf(value)
  if (percent === undefined || percent >= 2 ** 63 || percent < -(2 ** 63))
    throw new Error(`invalid value for IntOrString: ${percentFault(value, percent)}`)
  const exact = (percent * total) / 100
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact)
}

function percentFault(value: string, percent: number | undefined): string {
  if (!value.endsWith('%')) return 'invalid type: string is not a percentage'
  const why = percent === undefined ? 'invalid syntax' : 'value out of range'
  return `invalid value ${quote(value)}: strconv.Atoi: parsing ${quote(value.slice(0, -1))}: ${why}`
}
