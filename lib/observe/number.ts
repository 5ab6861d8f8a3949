/** A number as Prometheus' own servers print it: the shortest text that parses to the same number. */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  const size = Math.abs(value)
  if (size === 0 || (size < 1e6 && size >= 1e-4)) return String(value)
  const [digits, exponent = ''] = value.toExponential().split('e')
  const sign = exponent.slice(0, 1)
  return `${digits}e${sign}${exponent.slice(1).padStart(2, '0')}`
}

/** With a decimal point or exponent, as OpenMetrics requires for bounds. */
export function formatBound(value: number, openMetrics: boolean): string {
  const text = formatNumber(value)
  return openMetrics && /^-?\d+$/.test(text) ? `${text}.0` : text
}
