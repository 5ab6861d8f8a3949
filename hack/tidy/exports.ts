import { type Module, readModule } from './module.ts'
import type { Tree } from './tree.ts'

export interface EntryPoints {
  /** Whether the file is run or published, so that nothing has to import it. */
  isEntry(path: string): boolean
  /**
   * Whether the file's exports are used in a way that imports don't show, such as a folder that is loaded as a whole.
   */
  isLoadedByFolder(path: string): boolean
}

/** Names that nothing imports, and files that nothing imports or names. */
export function findDead(tree: Tree, entryPoints: EntryPoints): string[] {
  const modules = new Map<string, Module>()
  for (const [path, text] of tree) if (path.endsWith('.ts')) modules.set(path, readModule(path, text))
  const used = usedNames(modules, entryPoints)
  const problems: string[] = []
  for (const module of modules.values()) {
    const { path } = module
    if (entryPoints.isEntry(path) || entryPoints.isLoadedByFolder(path)) continue
    const names = used.get(path)
    if (names === undefined) {
      if (!isNamedInText(path, tree)) problems.push(`${path}: no file imports it`)
      continue
    }
    if (names.has('*')) continue
    const shapes = typesUsedIn(tree.get(path) ?? '')
    for (const { name, line } of exportsOf(module))
      if (!names.has(name) && name !== '*' && !shapes.has(name))
        problems.push(`${path}:${line}: no other file imports ${name}`)
  }
  return problems
}

function* exportsOf(module: Module): Generator<{ name: string; line: number }> {
  for (const [name, line] of module.exports) yield { name, line }
  yield* module.reexports
}

/** The names of each file that others import, through any number of files that re-export them. */
function usedNames(modules: ReadonlyMap<string, Module>, entryPoints: EntryPoints): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>()
  const use = (path: string, name: string | undefined): void => {
    let names = used.get(path)
    if (names === undefined) used.set(path, (names = new Set()))
    if (name === undefined || names.has(name)) return
    names.add(name)
    for (const reexport of modules.get(path)?.reexports ?? []) {
      if (reexport.name === '*' && reexport.original === '*') use(reexport.from, name)
      else if (name === '*' || reexport.name === name) use(reexport.from, reexport.original)
    }
  }
  for (const { path, imports, reexports } of modules.values()) {
    for (const { from, name } of imports) use(from, name)
    for (const { from } of reexports) use(from, undefined)
    if (entryPoints.isEntry(path)) use(path, '*')
  }
  return used
}

/**
 * Exported types that their own file uses again: the declarations of the published package need the types of what is
 * exported by name.
 */
function typesUsedIn(text: string): Set<string> {
  const code = text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
  const names = Array.from(code.matchAll(/^export (?:interface|type) (\w+)/gm), ([, name = '']) => name)
  return new Set(names.filter((name) => (code.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1))
}

/** A program or a worker is started by its file name. */
function isNamedInText(path: string, tree: Tree): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  for (const [other, text] of tree)
    if (other !== path && (text.includes(`${name}'`) || text.includes(`${name}"`))) return true
  return false
}
