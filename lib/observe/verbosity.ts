/** A level for the components that a pattern matches. */
export type VerbosityPatterns = Iterable<readonly [pattern: string, level: number]>

/**
 * The level of the first pattern that matches a component, -1 without one. A pattern matches the whole name or its last
 * part (`pods` matches `cache.pods`); `*` matches any characters, `?` one, `[a-c]` one of these.
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
    return /(?!)/ // a reversed range matches nothing
  }
}
