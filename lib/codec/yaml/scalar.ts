import type { JsonValue } from '../../object/index.ts'
import { DecodeError } from '../error.ts'

const words: ReadonlyMap<string, boolean | null> = new Map([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['y', 'yes', 'on', 'true'].flatMap(cases).map((word) => [word, true] as const),
  ...['n', 'no', 'off', 'false'].flatMap(cases).map((word) => [word, false] as const),
])

function cases(word: string): string[] {
  return [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()]
}

const integer = /^([-+]?)(?:0b([01]+)|0x([0-9a-fA-F]+)|0o?([0-7]+)|(0|[1-9][0-9]*))$/
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/
const notFinite = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const integerMax = 2n ** 64n - 1n
const integerMin = -(2n ** 63n)

/** The value of a plain scalar in YAML 1.1. Integers beyond 2^53 are bigint. Throws DecodeError for .inf and .nan. */
export function resolveScalar(text: string): JsonValue {
  const word = words.get(text)
  if (word !== undefined) return word
  if (!/^[-+.0-9]/.test(text)) return text
  if (notFinite.test(text)) throw new DecodeError(`json: unsupported value: ${text.slice(1)}`)
  const plain = text.replaceAll('_', '')
  const match = integer.exec(plain)
  if (match) {
    const value = parseInteger(match)
    if (value <= integerMax && value >= integerMin) {
      const number = Number(value)
      return Number.isSafeInteger(number) ? number : value
    }
  }
  return float.test(plain) ? Number(plain) : text
}

function parseInteger([, sign, binary, hex, octal, decimal]: RegExpExecArray): bigint {
  const magnitude =
    binary !== undefined
      ? BigInt(`0b${binary}`)
      : hex !== undefined
        ? BigInt(`0x${hex}`)
        : octal !== undefined
          ? BigInt(`0o${octal}`)
          : BigInt(decimal ?? '0')
  return sign === '-' ? -magnitude : magnitude
}
