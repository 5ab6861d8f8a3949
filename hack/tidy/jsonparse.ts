import type { Tree } from './tree.ts'

/** Calls of JSON.parse where parseJsonText (lib/object) is safe: keys with a backslash mislead later calls. */
export function findPlainParses(tree: Tree, isChecked: (path: string) => boolean): string[] {
  const problems: string[] = []
  for (const [path, text] of tree) {
    if (!path.endsWith('.ts') || !isChecked(path)) continue
    for (const [index, line] of text.split('\n').entries())
      if (/\bJSON\.parse\b/.test(line) && !/^\s*(?:\*|\/[/*])/.test(line))
        problems.push(`${path}:${index + 1}: parseJsonText instead of JSON.parse`)
  }
  return problems
}
