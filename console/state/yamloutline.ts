/** A field's name, or an item's position. */
export type PathStep = string | number
export type FieldPath = readonly PathStep[]

interface Level {
  readonly column: number
  readonly isSequence: boolean
  step: PathStep
}

const keyPattern = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#{[&*!|>%@][^\n]*?):(?=\s|$)/
const blockScalar = /^[|>][-+\d]*\s*(?:#.*)?$/

/**
 * The path of the field or item that each line begins; undefined for lines that begin none: comments, text of several lines.
 * It goes by indentation, as the server writes YAML and people type it, so that an unfinished text has one, too. Values in
 * braces and brackets count as a whole.
 */
export function outlineYaml(text: string): (FieldPath | undefined)[] {
  const levels: Level[] = []
  /** Column of what holds a block of text; its lines are further right. */
  let scalarColumn = Number.POSITIVE_INFINITY
  return text.split('\n').map((line) => {
    const isBlank = line.trim() === ''
    let column = line.length - line.trimStart().length
    if (isBlank || column > scalarColumn) return undefined
    scalarColumn = Number.POSITIVE_INFINITY
    let rest = line.slice(column)
    if (rest.startsWith('#') || rest.startsWith('---')) return undefined
    const start = column
    for (let dash = /^-(?:\s+|$)/.exec(rest); dash; dash = /^-(?:\s+|$)/.exec(rest)) {
      enterItem(levels, column)
      column += dash[0].length
      rest = rest.slice(dash[0].length)
    }
    const key = keyPattern.exec(rest)
    if (key) enterField(levels, column, plain(key[1] ?? ''))
    else if (column === start) return undefined
    const value = rest.slice(key?.[0].length ?? 0).trim()
    if (blockScalar.test(value)) scalarColumn = key ? column : start
    return levels.map(({ step }) => step)
  })
}

function enterItem(levels: Level[], column: number): void {
  leave(levels, (level) => level.column > column)
  const top = levels.at(-1)
  if (top?.isSequence && top.column === column && typeof top.step === 'number') top.step++
  else levels.push({ column, isSequence: true, step: 0 })
}

/** The items of a field may be in its own column. */
function enterField(levels: Level[], column: number, key: string): void {
  leave(levels, (level) => level.column > column || (level.column === column && level.isSequence))
  const top = levels.at(-1)
  if (top && !top.isSequence && top.column === column) top.step = key
  else levels.push({ column, isSequence: false, step: key })
}

function leave(levels: Level[], isLeft: (level: Level) => boolean): void {
  for (let top = levels.at(-1); top && isLeft(top); top = levels.at(-1)) levels.pop()
}

function plain(key: string): string {
  if (key.startsWith("'")) return key.slice(1, -1).replaceAll("''", "'")
  if (!key.startsWith('"')) return key
  try {
    return String(JSON.parse(key))
  } catch {
    return key
  }
}

/** Index of the line of the field, or of the nearest field around it; -1 for none. */
export function lineOf(path: FieldPath, outline: readonly (FieldPath | undefined)[]): number {
  for (let length = path.length; length > 0; length--) {
    const wanted = path.slice(0, length)
    const index = outline.findIndex((each) => each !== undefined && beginsWith(each, wanted))
    if (index >= 0) return index
  }
  return -1
}

/** A line may begin several levels at once: `- name: web`. */
export function beginsWith(path: FieldPath, start: FieldPath): boolean {
  return start.length <= path.length && start.every((step, at) => path[at] === step)
}

/** What can be typed at a position of the text. */
export interface Place {
  /** The object whose field is being named, or the field whose value is being typed. */
  readonly path: FieldPath
  readonly types: 'name' | 'value'
  /** What is there of it so far. */
  readonly typed: string
  /** Column of the name. */
  readonly column: number
}

/** The place at the end of `before`, a text up to the cursor. Undefined within values of several lines. */
export function placeAtEnd(before: string): Place | undefined {
  const start = before.lastIndexOf('\n') + 1
  const [, lead = '', rest = ''] = /^(\s*(?:-\s+)*)(.*)$/.exec(before.slice(start)) ?? []
  const valued = keyPattern.exec(rest)
  if (valued) {
    const path = outlineYaml(before).at(-1)
    return path && { path, types: 'value', typed: rest.slice(valued[0].length).trimStart(), column: lead.length }
  }
  if (/\s/.test(rest)) return undefined
  const path = outlineYaml(`${before.slice(0, start)}${lead}name:`).at(-1)
  return path && { path: path.slice(0, -1), types: 'name', typed: rest, column: lead.length }
}
