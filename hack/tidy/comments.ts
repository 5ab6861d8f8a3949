import type { Tree } from './tree.ts'

interface Comment {
  readonly line: number
  readonly text: string
}

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

/** Subjects that make a reader guess who does what. */
const riddle =
  /^(of(?! course)|who(?:ever|m|se)?|nobody|what)\b|[.!?] (Of(?! course)|Who(?:ever|m|se)?|What)\b|\b(nobody|whoever)\b/i

/** Comments with a riddle for a subject ("Of …", "Who …", "What …", "Whoever …", "Nobody …") instead of the thing itself. */
export function findRiddles(tree: Tree, isChecked: (path: string) => boolean): string[] {
  const problems: string[] = []
  for (const [path, text] of tree) {
    if (!path.endsWith('.ts') || !isChecked(path)) continue
    for (const { line, text: comment } of commentsOf(text)) {
      const [, first, later, anywhere] = riddle.exec(comment) ?? []
      const word = first ?? later ?? anywhere
      if (word !== undefined) problems.push(`${path}:${line}: "${word}" leaves open who does what`)
    }
  }
  return problems
}

/** The comments of a source as plain text, lines that follow each other joined. */
function commentsOf(text: string): Comment[] {
  const comments: Comment[] = []
  let open: { line: number; parts: string[]; kind: 'block' | 'lines' } | undefined
  const close = (): void => {
    if (open) comments.push({ line: open.line, text: open.parts.join(' ').trim() })
    open = undefined
  }
  for (const [index, line] of text.split('\n').entries()) {
    if (open?.kind === 'block') {
      open.parts.push(line.replace(/\s*\*\/.*/, '').replace(/^\s*\*?\s*/, ''))
      if (line.includes('*/')) close()
      continue
    }
    const whole = /^\s*\/\/\s?(.*)/.exec(line)
    if (whole) {
      if (open) open.parts.push(whole[1] ?? '')
      else open = { line: index + 1, parts: [whole[1] ?? ''], kind: 'lines' }
      continue
    }
    close()
    const begin = /^\s*\/\*\*?\s?(.*)/.exec(line)
    if (begin) {
      open = { line: index + 1, parts: [(begin[1] ?? '').replace(/\s*\*\/.*/, '')], kind: 'block' }
      if (line.includes('*/')) close()
    } else {
      // A text may hold two slashes, too: a comment begins after whole texts only.
      const trailing = /^(?:[^'"`]|'[^']*'|"[^"]*"|`[^`]*`)*? \/\/ (.*)/.exec(line)
      if (trailing) comments.push({ line: index + 1, text: trailing[1] ?? '' })
    }
  }
  close()
  return comments
}
