import type { Tree } from './tree.ts'

/** Comments and papers that name a decision which hack/decisions doesn't have. */
export function findMissingDecisions(tree: Tree): string[] {
  const names = [...tree.keys()].filter((path) => /^hack\/decisions\/.*\.md$/.test(path))
  const problems: string[] = []
  for (const [path, text] of tree) {
    if (path.startsWith('test/unit/hack/')) continue
    for (const [whole] of text.matchAll(/\bhack\/decisions\/\d[\w-]*(?:\.md)?/g))
      if (!names.includes(whole) && !names.includes(`${whole}.md`)) problems.push(`${path}: ${whole} is missing`)
  }
  return problems
}
