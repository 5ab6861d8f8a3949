import type { Tree } from './tree.ts'

/** A call that only few files may make, since it misleads elsewhere. */
interface Forbidden {
  readonly call: RegExp
  readonly instead: string
  isChecked(path: string): boolean
}

/** Lines, comments aside, that make a forbidden call. */
export function findForbidden(tree: Tree, { call, instead, isChecked }: Forbidden): string[] {
  const problems: string[] = []
  for (const [path, text] of tree) {
    if (!path.endsWith('.ts') || !isChecked(path)) continue
    for (const [index, line] of text.split('\n').entries())
      if (call.test(line) && !/^\s*(?:\*|\/[/*])/.test(line)) problems.push(`${path}:${index + 1}: ${instead}`)
  }
  return problems
}
