/** Reads values of an object; none where a part of the path is missing. */
export type PathReader = (object: unknown) => readonly unknown[]

const charactersMax = 1000
const step = /^(?:\.([A-Za-z_][\w-]*)|\.?\[(?:"([^"]*)"|'([^']*)'|(\d+))\]|(\.?\[\]))/
const condition = /^select\(\s*(\S+)\s*==\s*("[^"]*"|\d+|true|false)\s*\)$/

/**
 * The part of jq that Stage files use: `.status.phase`, `.metadata.annotations["a/b"]`, `.spec.containers[0].name`, and
 * `.status.conditions.[] | select( .type == "Ready" ) | .status`. Throws an Error for everything else.
 */
export function parsePath(text: string): PathReader {
  if (text.length > charactersMax) throw new Error(`a path has at most ${charactersMax} characters`)
  const readers = text.split('|').map((part) => parsePart(part.trim()))
  return (object) =>
    readers.reduce<readonly unknown[]>((values, read) => values.flatMap((value) => [...read(value)]), [object])
}

function parsePart(text: string): PathReader {
  const selected = condition.exec(text)
  if (selected) {
    const [, path = '', literal = ''] = selected
    const read = parsePart(path)
    const wanted: unknown = literal.startsWith('"') ? literal.slice(1, -1) : toPlain(literal)
    return (value) => (read(value).includes(wanted) ? [value] : [])
  }
  if (!text.startsWith('.')) throw new Error(`${JSON.stringify(text)} is no path of this subset of jq`)
  const steps: PathReader[] = []
  let rest = text === '.' ? '' : text
  while (rest !== '') {
    const found = step.exec(rest)
    if (!found) throw new Error(`${JSON.stringify(rest)} is no path of this subset of jq`)
    const [whole, field, double, single, index, all] = found
    steps.push(all === undefined ? member(field ?? double ?? single ?? Number(index)) : items)
    rest = rest.slice(whole.length)
  }
  return (value) =>
    steps.reduce<readonly unknown[]>((values, read) => values.flatMap((each) => [...read(each)]), [value])
}

function member(key: string | number): PathReader {
  return (value) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return []
    const found: unknown = Reflect.get(value, key)
    return found === undefined || found === null ? [] : [found]
  }
}

const items: PathReader = (value) => (Array.isArray(value) ? value : [])

function toPlain(literal: string): unknown {
  return literal === 'true' ? true : literal === 'false' ? false : Number(literal)
}
