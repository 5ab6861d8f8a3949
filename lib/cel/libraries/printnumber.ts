/**
 * A double with a fixed number of digits, as the stock server's printer writes it in English: the exact binary value
 * rounded half to even, thousands separated, no sign for a zero. It takes the number of digits as 16 bits, but pads
 * with zeros only to its lowest 8 bits.
 */
export function printFixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return special(value)
  const most = (digits << 16) >> 16
  const fewest = digits & 0xff
  const { negative, mantissa, exponent } = parts(value)
  const shown = most < 0 ? exactDigits : Math.min(most, exactDigits)
  const scaled = mantissa * 10n ** BigInt(shown)
  const rounded = exponent >= 0 ? scaled << BigInt(exponent) : roundShift(scaled, BigInt(-exponent))
  const text = String(rounded).padStart(shown + 1, '0')
  const whole = text.slice(0, text.length - shown).replace(/\B(?=(?:\d{3})+$)/g, ',')
  const fraction = text
    .slice(text.length - shown)
    .replace(/0+$/, '')
    .padEnd(fewest, '0')
  return `${negative && value !== 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** No double has more digits after its point. */
const exactDigits = 1074

function special(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return value > 0 ? '∞' : '-∞'
}

function parts(value: number): { negative: boolean; mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const raw = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xfffffffffffffn
  const mantissa = raw === 0 ? fraction : fraction | 0x10000000000000n
  return { negative: bits >> 63n === 1n, mantissa, exponent: (raw === 0 ? 1 : raw) - 1075 }
}

function roundShift(value: bigint, shift: bigint): bigint {
  const whole = value >> shift
  const rest = value - (whole << shift)
  const half = 1n << (shift - 1n)
  return rest > half || (rest === half && whole % 2n === 1n) ? whole + 1n : whole
}

/**
 * A double in scientific notation (`1.500000×10⁻⁰³`), always with six digits: the stock server takes the precision of a
 * clause for the width.
 */
export function printScientific(value: number, width: number): string {
  return scientific(value).padStart(width & 0xffff)
}

function scientific(value: number): string {
  if (!Number.isFinite(value)) return special(value)
  const [digits = '', power = '0'] = Math.abs(value).toExponential().split('e')
  let mantissa = BigInt(digits.replace('.', '').slice(0, 7).padEnd(7, '0'))
  let exponent = Number(power)
  // Rounds the shortest digits that identify the double, half up.
  if ((digits.replace('.', '')[7] ?? '0') >= '5') mantissa += 1n
  if (mantissa === 10_000_000n) {
    mantissa = 1_000_000n
    exponent += 1
  }
  const text = String(mantissa).padStart(7, '0')
  const sign = exponent < 0 ? '⁻' : ''
  const raised = String(Math.abs(exponent))
    .padStart(2, '0')
    .replace(/\d/g, (digit) => superscripts[Number(digit)] ?? '')
  return `${value < 0 ? '-' : ''}${text.slice(0, 1)}.${text.slice(1)}×10${sign}${raised}`
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'
