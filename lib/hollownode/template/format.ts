import { checkLength, isList, isTree, printed, type Value } from './value.ts'

const widthMax = 1000
const directive = /%([-+ 0#]*)(\d*)(?:\.(\d+))?(.)/gs

/** Go's Sprintf for `%v`, `%s`, `%d`, `%q`, `%t`, `%x`, `%f`, `%g`, `%e` and `%%`. Throws an Error for others. */
export function formatted(form: string, values: readonly Value[]): string {
  let used = 0
  let characters = 0
  const text = form.replaceAll(
    directive,
    (whole, flags: string, width: string, precision: string | undefined, verb: string) => {
      if (verb === '%') return '%'
      if (Number(width) > widthMax || Number(precision ?? 0) > 100)
        throw new Error(`${whole} is wider than ${widthMax}`)
      if (used >= values.length) return `%!${verb}(MISSING)`
      const shown = shownAs(verb, values[used++], precision, flags.includes('+'))
      const padded = flags.includes('-')
        ? shown.padEnd(Number(width))
        : flags.includes('0') && verb !== 's'
          ? paddedNumber(shown, Number(width))
          : shown.padStart(Number(width))
      checkLength((characters += padded.length))
      return padded
    },
  )
  if (used === values.length) return text
  const extra = values.slice(used).map((value) => `${goTypeOf(value)}=${printed(value)}`)
  return `${text}%!(EXTRA ${extra.join(', ')})`
}

function shownAs(verb: string, value: Value, precision: string | undefined, hasSign: boolean): string {
  const number = (text: string): string => (hasSign && Number(value) >= 0 ? `+${text}` : text)
  const wrong = (): string => `%!${verb}(${goTypeOf(value)}=${printed(value)})`
  switch (verb) {
    case 'v':
      return printed(value)
    case 's':
      return typeof value === 'string'
        ? value.slice(0, precision === undefined ? undefined : Number(precision))
        : printed(value)
    case 'q':
      return JSON.stringify(typeof value === 'string' ? value : printed(value))
    case 't':
      return typeof value === 'boolean' ? String(value) : wrong()
    case 'd':
      return Number.isInteger(value) ? number(String(value)) : wrong()
    case 'x':
      if (typeof value === 'string') return Buffer.from(value).toString('hex')
      return Number.isInteger(value) ? Number(value).toString(16) : wrong()
    case 'f':
      return typeof value === 'number' ? number(value.toFixed(Number(precision ?? 6))) : wrong()
    case 'g':
      return typeof value === 'number' ? number(String(value)) : wrong()
    case 'e':
      return typeof value === 'number' ? number(value.toExponential(Number(precision ?? 6))) : wrong()
    default:
      throw new Error(`the directive %${verb} is not known here`)
  }
}

function paddedNumber(shown: string, width: number): string {
  const sign = /^[+-]/.exec(shown)?.[0] ?? ''
  return sign + shown.slice(sign.length).padStart(width - sign.length, '0')
}

function goTypeOf(value: Value): string {
  if (value === undefined) return '<nil>'
  if (isList(value)) return '[]interface {}'
  if (isTree(value)) return 'map[string]interface {}'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float64'
  return typeof value === 'boolean' ? 'bool' : 'string'
}
