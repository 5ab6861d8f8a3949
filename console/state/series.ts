/** Samples of an exposition, summed over their labels by name. */
export type Samples = ReadonlyMap<string, number>

/** The names that the overview needs; everything else of the exposition is skipped. */
export function readSamples(exposition: string, names: ReadonlySet<string>): Samples {
  const samples = new Map<string, number>()
  for (const line of exposition.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const name = /^[\w:]+/.exec(line)?.[0] ?? ''
    if (!names.has(name)) continue
    const value = Number(line.slice(line.lastIndexOf(' ') + 1))
    if (!Number.isFinite(value)) continue
    samples.set(name, (samples.get(name) ?? 0) + value)
    if (/code="5\d\d"/.test(line)) samples.set(`${name}:5xx`, (samples.get(`${name}:5xx`) ?? 0) + value)
  }
  return samples
}

/** Increase of a counter in each second between two readings; a restart of the server counts as none. */
export function ratePerSecond(name: string, before: Samples, after: Samples, seconds: number): number {
  return Math.max(0, (after.get(name) ?? 0) - (before.get(name) ?? 0)) / seconds
}
