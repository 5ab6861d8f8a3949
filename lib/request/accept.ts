/** One clause of an Accept header: a media type in lower case with its parameters except `q`. */
export interface MediaRange {
  readonly type: string
  readonly parameters: Readonly<Record<string, string>>
  /** 0 to 1. */
  readonly quality: number
}

/** Maximum number of clauses that are read. */
const clausesMax = 64

/** The clauses of an Accept header by descending quality, otherwise in their order (RFC 9110 section 12.5.1). */
export function parseAccept(header: string): MediaRange[] {
  const ranges = header.split(',', clausesMax).map(parseClause)
  return ranges.filter(({ type, quality }) => type !== '' && quality > 0).sort((a, b) => b.quality - a.quality)
}

function parseClause(clause: string): MediaRange {
  const [type = '', ...rest] = clause.split(';')
  const parameters: Record<string, string> = Object.create(null)
  let quality = 1
  for (const parameter of rest) {
    const [name = '', value = ''] = parameter.split('=', 2).map((part) => part.trim())
    if (name.toLowerCase() === 'q') quality = parseQuality(value)
    else if (name !== '') parameters[name.toLowerCase()] = value.replace(/^"(.*)"$/, '$1')
  }
  return { type: type.trim().toLowerCase(), parameters, quality }
}

function parseQuality(text: string): number {
  const value = Number(text)
  return text !== '' && value >= 0 && value <= 1 ? value : 1
}
