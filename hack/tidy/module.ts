import { posix } from 'node:path'

/** The imports and exports of one source file, read from its statements without a parser. */
export interface Module {
  readonly path: string
  /** Exported name → the line that declares it. Re-exported names are in `reexports`. */
  readonly exports: ReadonlyMap<string, number>
  readonly reexports: readonly Reexport[]
  readonly imports: readonly Import[]
}

interface Import {
  readonly from: string
  /** The exported name in the other module; `*` uses all of them, and undefined only runs the module. */
  readonly name: string | undefined
}

/** `name` of this module is `original` of `from`; `*` as original: the name is the other module as a namespace. */
interface Reexport extends Import {
  readonly name: string
  readonly original: string
  readonly line: number
}

const statement =
  /^(import|export)\s+(?:type\s+)?(?:(\w+)\s*,?\s*)?(?:\{([^}]*)\}|\*(?:\s+as\s+(\w+))?)?\s*(?:from\s+)?['"]([^'"]+)['"]/gm
const declaration =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function\*?|class|interface|type)\s+(\w+)/gm
const localList = /^export\s+(?:type\s+)?\{([^}]*)\}(?!\s*from)/gm
const destructured = /^export\s+const\s+\{([^}]*)\}\s*=/gm
const dynamicImport = /(?:\{([^{}]*)\}\s*=\s*(?:\(?await\s+)?)?\bimport\(\s*['"]([^'"]+)['"]\s*\)(?:\.(\w+))?/g

/** Reads the statements of the file at `path`. Specifiers of packages are left out. */
export function readModule(path: string, text: string): Module {
  const exports = new Map<string, number>()
  const imports: Import[] = []
  const reexports: Reexport[] = []
  const lineAt = lineFinder(text)
  for (const match of text.matchAll(statement)) {
    const [, keyword, byDefault, list, namespace, specifier = ''] = match
    const from = resolveSpecifier(path, specifier)
    if (from === undefined) continue
    const names = list === undefined ? [] : namesOf(list)
    const line = lineAt(match.index)
    if (keyword === 'import') {
      imports.push({ from, name: undefined })
      if (byDefault !== undefined) imports.push({ from, name: 'default' })
      for (const { original } of names) imports.push({ from, name: original })
      if (namespace !== undefined) for (const name of membersOf(namespace, text)) imports.push({ from, name })
    } else if (list === undefined) reexports.push({ from, name: namespace ?? '*', original: '*', line })
    else for (const { original, name } of names) reexports.push({ from, name, original, line })
  }
  for (const match of text.matchAll(declaration)) exports.set(match[1] ?? '', lineAt(match.index))
  for (const lists of [localList, destructured])
    for (const match of text.matchAll(lists))
      for (const { name } of namesOf(match[1] ?? '')) exports.set(name, lineAt(match.index))
  for (const [, list, specifier = '', member] of text.matchAll(dynamicImport)) {
    const from = resolveSpecifier(path, specifier)
    if (from === undefined) continue
    imports.push({ from, name: undefined })
    if (list !== undefined) for (const { original } of namesOf(list)) imports.push({ from, name: original })
    else imports.push({ from, name: member ?? '*' })
  }
  return { path, exports, reexports, imports }
}

/** `a, type B, c as d` as pairs of the name in the other module and the name here. */
function namesOf(list: string): { original: string; name: string }[] {
  return list
    .split(',')
    .map((item) => item.replace(/^\s*(?:\/\/[^\n]*\n\s*)*(?:type\s+)?/, '').trim())
    .filter((item) => item !== '')
    .map((item) => {
      const [original = '', name = original] = item.split(/\s+as\s+|\s*:\s*/)
      return { original, name }
    })
}

/** The members of a namespace that the text uses; `*` when the namespace is passed on as a whole. */
function membersOf(namespace: string, text: string): Set<string> {
  const uses = text.matchAll(new RegExp(`(?<![.\\w'])${namespace}(?:\\.(\\w+)|(?=[[,)\\s]*[[,)]))`, 'g'))
  return new Set(Array.from(uses, ([, member]) => member ?? '*'))
}

function resolveSpecifier(path: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined
}

function lineFinder(text: string): (index: number) => number {
  const ends: number[] = []
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at)
  return (index) => {
    const line = ends.findIndex((end) => end >= index)
    return (line < 0 ? ends.length : line) + 1
  }
}
