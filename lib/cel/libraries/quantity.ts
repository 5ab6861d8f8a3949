import { formatQuantity, parseQuantity, type Quantity } from '../../object/index.ts'
import { globalForm, type Library, memberForm } from '../check/function.ts'
import { types } from '../check/types.ts'
import { int64 } from '../run/arithmetic.ts'
import { sizeOf, traversal } from '../run/cost.ts'
import { invalidArgument } from '../run/errors.ts'
import { Double, Opaque, type Value } from '../run/values.ts'

const { string, int, bool, double } = types

/** kubernetes.Quantity: an exact amount, mantissa × 10^scale. */
class QuantityValue extends Opaque {
  readonly quantity: Quantity
  readonly #readFrom: string | boolean
  /** `readFrom`: its text, or whether it was computed from small quantities. */
  constructor(quantity: Quantity, readFrom: string | boolean) {
    super()
    this.quantity = quantity
    this.#readFrom = readFrom
  }
  /** Fits 64 bits, which the stock server decides by the text; larger quantities are no integers there. */
  get isSmall(): boolean {
    return typeof this.#readFrom === 'string' ? isSmallText(this.#readFrom) : this.#readFrom
  }
  get typeName(): string {
    return 'kubernetes.Quantity'
  }
  equals(other: Opaque): boolean {
    return other instanceof QuantityValue && compare(this, other) === 0
  }
}

const quantityType = types.opaque('kubernetes.Quantity')

/** quantity, isQuantity, sign, isInteger, asInteger, asApproximateFloat, add, sub, isGreaterThan, isLessThan, compareTo. */
export function quantityLibrary(): Library {
  const q = quantityType
  // The stock server's worst case counts these as one unit, whatever the text.
  const extras = { cost: (text: Value) => traversal(sizeOf(text)) }
  const sum = (name: string, sign: 1n | -1n) => ({
    name,
    overloads: [
      memberForm(`quantity_${name}`, [q, q], q, (a: QuantityValue, b: QuantityValue) =>
        combine(a, b.quantity.mantissa, b.quantity.scale, sign, b.isSmall),
      ),
      memberForm(`quantity_${name}_int`, [q, int], q, (a: QuantityValue, b: number | bigint) =>
        combine(a, BigInt(b), 0, sign),
      ),
    ],
  })
  const test = (name: string, call: (a: QuantityValue, b: QuantityValue) => Value, result = bool) => ({
    name,
    overloads: [memberForm(`quantity_${name}`, [q, q], result, call)],
  })
  return {
    name: 'quantity',
    types: [q],
    functions: [
      { name: 'quantity', overloads: [globalForm('string_to_quantity', [string], q, parsed, extras)] },
      {
        name: 'isQuantity',
        overloads: [globalForm('is_quantity_string', [string], bool, (t: string) => read(t) !== undefined, extras)],
      },
      {
        name: 'sign',
        // The stock server only has sign(q), its documentation q.sign().
        overloads: [memberForm('quantity_member_sign', [q], int, sign), globalForm('quantity_sign', [q], int, sign)],
      },
      {
        name: 'isInteger',
        overloads: [memberForm('quantity_is_integer', [q], bool, (v: QuantityValue) => integer(v) !== undefined)],
      },
      {
        name: 'asInteger',
        overloads: [
          memberForm('quantity_as_integer', [q], int, (v: QuantityValue) => {
            const value = integer(v)
            return value === undefined ? invalidArgument('cannot convert value to integer') : int64(value)
          }),
        ],
      },
      { name: 'asApproximateFloat', overloads: [memberForm('quantity_as_approximate_float', [q], double, float)] },
      sum('add', 1n),
      sum('sub', -1n),
      test('isLessThan', (a, b) => compare(a, b) < 0),
      test('isGreaterThan', (a, b) => compare(a, b) > 0),
      test('compareTo', compare, int),
    ],
  }
}

function read(text: string): QuantityValue | undefined {
  try {
    return new QuantityValue(parseQuantity(text), text)
  } catch {
    return undefined
  }
}

function parsed(text: string): Value {
  try {
    return new QuantityValue(parseQuantity(text), text)
  } catch (error) {
    return invalidArgument(error instanceof Error ? error.message : 'not a quantity')
  }
}

/**
 * Numbers with up to this many digits fit 64 bits whatever the digits are; a power of two takes some of them, and a
 * binary suffix four more.
 */
const smallDigitsMax = 18
const smallBinaryDigitsMax = 14
const binaryPowers: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 }

function isSmallText(text: string): boolean {
  if (text.length <= smallDigitsMax && !text.endsWith('i')) return true
  const [, whole = '', point = '', fraction = '', suffix = ''] = /^[+-]?0*(\d*)(\.?)(\d*)(.*)$/.exec(text) ?? []
  const digits = Math.max(1, whole.length)
  const power = binaryPowers[suffix]
  if (power === undefined) return digits + fraction.length <= smallDigitsMax
  return point + fraction === '' && digits + Math.floor((power * 3) / 10) <= smallBinaryDigitsMax
}

/** Both mantissas at the smaller scale. */
function aligned(a: QuantityValue, mantissa: bigint, scale: number): { left: bigint; right: bigint; scale: number } {
  const low = Math.min(a.quantity.scale, scale)
  return {
    left: a.quantity.mantissa * 10n ** BigInt(a.quantity.scale - low),
    right: mantissa * 10n ** BigInt(scale - low),
    scale: low,
  }
}

function compare(a: QuantityValue, b: QuantityValue): number {
  const { left, right } = aligned(a, b.quantity.mantissa, b.quantity.scale)
  return left < right ? -1 : left > right ? 1 : 0
}

function combine(a: QuantityValue, mantissa: bigint, scale: number, sign: 1n | -1n, isSmall = true): QuantityValue {
  const both = aligned(a, mantissa, scale)
  const sum = both.left + sign * both.right
  const { family } = a.quantity
  const text = formatQuantity(sum, both.scale, family)
  return new QuantityValue({ mantissa: sum, scale: both.scale, family, text }, a.isSmall && isSmall)
}

function sign({ quantity }: QuantityValue): number {
  return quantity.mantissa === 0n ? 0 : quantity.mantissa < 0n ? -1 : 1
}

/** The amount as an int64 when it is written as one: `1000m` and `1.0` are not. */
function integer({ quantity, isSmall }: QuantityValue): bigint | undefined {
  if (!isSmall || quantity.scale < 0 || quantity.scale > smallDigitsMax) return undefined
  const value = quantity.mantissa * 10n ** BigInt(quantity.scale)
  return BigInt.asIntN(64, value) === value ? value : undefined
}

function float({ quantity }: QuantityValue): Double {
  return new Double(Number(`${quantity.mantissa}e${quantity.scale}`))
}
