/** The fields of a line of comma-separated values; a field may be in double quotes, with `""` for a quote. */
export function readCsv(line: string): string[] {
  if (line === '') return []
  const fields: string[] = []
  let at = 0
  for (;;) {
    const quoted = /^"((?:[^"]|"")*)"(?=,|$)/.exec(line.slice(at))
    if (quoted) {
      fields.push((quoted[1] ?? '').replaceAll('""', '"'))
      at += quoted[0].length
    } else {
      const end = line.indexOf(',', at)
      const field = line.slice(at, end < 0 ? line.length : end)
      if (field.includes('"')) throw new Error(`"${field}" has a quote in the wrong place`)
      fields.push(field)
      at += field.length
    }
    if (at >= line.length) return fields
    at += 1
  }
}
