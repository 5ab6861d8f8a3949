const suffixes: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

/** The number that a quantity stands for (`100m`, `2Gi`), near enough to compare; NaN for what is none. */
export function quantity(value: unknown): number {
  const found = /^([+-]?\d*\.?\d+(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(String(value ?? ''))
  return found ? Number(found[1]) * (suffixes[found[2] ?? ''] ?? Number.NaN) : Number.NaN
}

/** The sums of lists of resources by name. */
export function sumOf(lists: readonly unknown[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const list of lists)
    for (const [name, value] of Object.entries(typeof list === 'object' && list !== null ? list : {}))
      sums.set(name, (sums.get(name) ?? 0) + quantity(value))
  return sums
}

/** A number as people write it: `1.5`, `128 Mi` for bytes. */
export function readable(resource: string, value: number): string {
  if (!/memory|storage|hugepages/.test(resource)) return String(Math.round(value * 1000) / 1000)
  const units = ['', 'Ki', 'Mi', 'Gi', 'Ti']
  const power = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(value) / 10))
  return `${Math.round((value / 2 ** (10 * power)) * 10) / 10} ${units[power]}`.trim()
}
