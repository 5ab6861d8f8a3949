/** Completion indexes as a status tells them: `1,3-5,7`. Two neighbours are `1,2`, three or more a range. */
export function formatIndexes(indexes: Iterable<number>): string {
  const ordered = [...indexes].sort((left, right) => left - right)
  const parts: string[] = []
  for (let start = 0; start < ordered.length; ) {
    let end = start
    while (ordered[end + 1] === (ordered[end] ?? 0) + 1) end++
    const [first, last] = [ordered[start] ?? 0, ordered[end] ?? 0]
    if (end - start >= 2) parts.push(`${first}-${last}`)
    else for (let each = first; each <= last; each++) parts.push(String(each))
    start = end + 1
  }
  return parts.join(',')
}

/** The indexes below `below`; parts that are no numbers are left out. */
export function parseIndexes(text: string | undefined, below: number): Set<number> {
  const found = new Set<number>()
  for (const part of (text ?? '').split(',')) {
    const match = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(part)
    if (!match) continue
    const first = Number(match[1])
    const last = Math.min(Number(match[2] ?? match[1]), below - 1)
    for (let index = first; index <= last; index++) found.add(index)
  }
  return found
}
