const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n
/** All smaller numbers round to one of 32 bits. */
const float32End = (2 - 2 ** -23) * 2 ** 127 + 2 ** 103

/** Whether a type in its format can represent a number: formats of another type restrict nothing. */
export function fitsFormat(type: string, format: string, value: number | bigint): boolean {
  if (type === 'number') return format !== 'float' || Math.abs(Number(value)) < float32End
  if (type !== 'integer') return true
  if (typeof value === 'number' && !Number.isInteger(value)) return false
  return format === 'int32' ? value >= -(2 ** 31) && value < 2 ** 31 : value >= int64Min && value <= int64Max
}
