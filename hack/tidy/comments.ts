import type { Tree } from './tree.ts'

interface Comment {
  readonly line: number
  readonly text: string
}

/** Comments and documents that name a decision which hack/decisions doesn't have. */
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

/** Words that hide who does what, with replacements. Each also in its other forms. */
const vague: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\b(?:tells?|told|telling)\b/i, 'reports, returns, logs or names'],
  [/\b(?:hears?|heard|hearing) (?:of|from)\b/i, 'receives'],
  [/\b(?:stands?|stood|standing)\b(?! for\b)/i, 'is'],
  [/\banew\b/i, 'again'],
  [/\bat last\b/i, 'finally or most recently'],
  [/\b(?:by|of) itself\b/i, 'nothing'],
  [/\b(?:be|is|are) to be had\b|\b(?:can|could|may) be had\b|\bto be had\b/i, 'is available'],
  [/(?:^|, |[.;:] )of which\b/i, 'the noun'],
  [/\bin good order\b/i, 'gracefully'],
]

const title = /\b(?:describe|it)(?:\.\w+)?\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g

/** Comments and test titles with words of `vague`. */
export function findVagueWords(tree: Tree): string[] {
  const problems: string[] = []
  for (const [path, text] of tree) {
    if (!path.endsWith('.ts')) continue
    for (const { line, text: sentence } of [...commentsOf(text), ...titlesOf(path, text)])
      for (const [word, instead] of vague) {
        const [found] = word.exec(sentence) ?? []
        if (found !== undefined) problems.push(`${path}:${line}: write ${instead} for "${found.trim()}"`)
      }
  }
  return problems
}

function titlesOf(path: string, text: string): Comment[] {
  if (!path.endsWith('.test.ts')) return []
  return Array.from(text.matchAll(title), ({ 1: single, 2: double, 3: template, index }) => ({
    line: text.slice(0, index).split('\n').length,
    text: single ?? double ?? template ?? '',
  }))
}

/** The comments of a source as plain text, with consecutive lines joined. */
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
      // A text may contain two slashes, too: a comment begins only after complete texts.
      const trailing = /^(?:[^'"`]|'[^']*'|"[^"]*"|`[^`]*`)*? \/\/ (.*)/.exec(line)
      if (trailing) comments.push({ line: index + 1, text: trailing[1] ?? '' })
    }
  }
  close()
  return comments
}
