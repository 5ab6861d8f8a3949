/** Which component is to say how much: a pattern of names, and the level up to which their verbose lines are printed. */
export type VerbosityPatterns = Iterable<readonly [pattern: string, level: number]>

/**
 * The level of the first pattern that fits a component, -1 without one. A pattern is about the whole name or its last
 * part (`pods` is about `cache.pods`); `*` stands for any characters, `?` for one, `[a-c]` for one of these.
 */
export function createVerbosityOf(patterns: VerbosityPatterns): (component: string) => number {
  const rules = Array.from(patterns, ([pattern, level]) => ({ fits: patternOf(pattern), level }))
  return (component) => {
    const last = component.slice(component.lastIndexOf('.') + 1)
    return rules.find(({ fits }) => fits.test(component) || fits.test(last))?.level ?? -1
  }
}

function patternOf(pattern: string): RegExp {
  const source = pattern.replace(/\[(\^?)([\w-]+)\]|[^\w]/g, (found, not?: string, range?: string) => {
    if (range !== undefined) return `[${not}${range.replace(/^-|-$/, '\\-')}]`
    if (found === '*') return '.*'
    if (found === '?') return '.'
    return `\\${found}`
  })
  try {
    return new RegExp(`^(?:${source})$`, 's')
  } catch {
    return /(?!)/ // a range backwards: it stands for nothing
  }
}
