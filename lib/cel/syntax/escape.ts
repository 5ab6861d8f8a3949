const keywords = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)
const marks: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
}
const unmarks: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' }

/**
 * The name of a property in expressions; undefined when it has none. `namespace` → `__namespace__`,
 * `x-prop` → `x__dash__prop`, `redact__d` → `redact__underscores__d`.
 */
export function escapeName(property: string): string | undefined {
  if (keywords.has(property)) return `__${property}__`
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(property)) return undefined
  return property.replace(/__|[./-]/g, (mark) => marks[mark] ?? mark)
}

/** The property with this escaped name; undefined: not a result of escapeName. */
export function unescapeName(name: string): string | undefined {
  let valid = true
  const property = name.replace(/__([^_]+)__/g, (whole, word: string) => {
    const mark = Object.hasOwn(unmarks, word) ? unmarks[word] : undefined
    if (mark !== undefined) return mark
    if (!keywords.has(word) || whole !== name) valid = false
    return word
  })
  return valid ? property : undefined
}
