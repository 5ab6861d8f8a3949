/** One DER element: it spans start..end, its content begins at `content`. */
export interface Element {
  readonly tag: number
  readonly start: number
  readonly content: number
  readonly end: number
}

/** The element that begins at `start`; undefined for what is none, or is cut off. */
export function readElement(bytes: Uint8Array, start: number): Element | undefined {
  const tag = bytes[start]
  const first = bytes[start + 1]
  if (tag === undefined || first === undefined) return undefined
  let length = first
  let content = start + 2
  if (first >= 0x80) {
    const count = first & 0x7f
    if (count === 0 || count > 4) return undefined
    length = 0
    for (let index = 0; index < count; index++) length = length * 256 + (bytes[content + index] ?? 0)
    content += count
  }
  const end = content + length
  return end <= bytes.length ? { tag, start, content, end } : undefined
}

/** The elements that another is made of; none where one of them is broken. */
export function children(bytes: Uint8Array, parent: Element): Element[] {
  const found: Element[] = []
  for (let at = parent.content; at < parent.end; ) {
    const child = readElement(bytes, at)
    if (!child || child.end > parent.end) return []
    found.push(child)
    at = child.end
  }
  return found
}
