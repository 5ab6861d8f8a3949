/** A text that is not the expected PEM. */
export class PemError extends Error {
  override readonly name = 'PemError'
}

/** One block of a PEM text. */
export interface PemBlock {
  readonly type: string
  /** RFC 1421 headers, as encrypted keys have them. */
  readonly hasHeaders: boolean
  readonly bytes: Uint8Array
  /** Start of the block in the text, and of the line after it. */
  readonly start: number
  readonly end: number
}

const beginMarker = '-----BEGIN '
const endMarker = '\n-----END '
const dashes = '-----'
/** Maximum number of blocks; the largest bundles in use have some hundreds. */
const blocksMax = 10_000

/**
 * The blocks of a text, in order. The only reader of PEM of this server. It reads like Go's encoding/pem, with which
 * other components read the same texts: markers have their own lines, text around blocks and malformed blocks are
 * skipped, and of several BEGIN lines before an END line the last one counts. Throws a PemError beyond 10,000 blocks.
 */
export function readPem(text: string): PemBlock[] {
  const blocks: PemBlock[] = []
  for (let at = 0; ; ) {
    const block = nextBlock(text, at)
    if (block === undefined) return blocks
    if (blocks.length === blocksMax) throw new PemError(`more than ${blocksMax} PEM blocks`)
    blocks.push(block)
    at = block.end
  }
}

/**
 * The content of a text that is one block of `type`. Text before it is allowed if it can't be mistaken for a block,
 * since
 * `openssl req -text` writes the request in words first. Throws a PemError for everything else, so that no two readers
 * can find different blocks in it.
 */
export function readOnlyBlock(text: string, type: string): Uint8Array {
  const [block, ...others] = readPem(text)
  if (block?.type !== type) throw new PemError(`PEM block type must be ${type}`)
  if (block.hasHeaders) throw new PemError('no PEM block headers are permitted')
  const isAlone = others.length === 0 && !text.slice(0, block.start).includes(dashes)
  if (!isAlone || text.slice(block.end).trim() !== '')
    throw new PemError(`exactly one ${type} PEM block is permitted, with nothing after it`)
  return block.bytes
}

/** One block, in lines of 64 characters. */
export function encodePem(type: string, der: Uint8Array): string {
  const base64 = Buffer.from(der.buffer, der.byteOffset, der.byteLength).toString('base64')
  const lines = base64.match(/.{1,64}/g) ?? []
  return `${beginMarker}${type}${dashes}\n${lines.join('\n')}\n-----END ${type}${dashes}\n`
}

function nextBlock(text: string, from: number): PemBlock | undefined {
  for (let at = from; ; ) {
    const end = text.indexOf(endMarker, at)
    if (end < 0) return undefined
    const trailer = end + endMarker.length
    const begin = text.slice(at, end).lastIndexOf(beginMarker)
    const found = begin < 0 ? undefined : blockBetween(text, { at, begin: at + begin, end, trailer })
    if (found === 'unfinished') return undefined
    if (found !== undefined) return found
    at = trailer
  }
}

interface Markers {
  /** Where the search began: a BEGIN marker may be there. */
  readonly at: number
  readonly begin: number
  /** Place of the line break before END. */
  readonly end: number
  /** Position after `-----END `. */
  readonly trailer: number
}

/**
 * undefined: no block, the next END line may end one. 'unfinished': the apparent headers continue past the END line.
 */
function blockBetween(text: string, { at, begin, end, trailer }: Markers): PemBlock | 'unfinished' | undefined {
  if (begin > at && text[begin - 1] !== '\n') return undefined
  const typeLine = lineAt(text, begin + beginMarker.length)
  let content = typeLine.next
  if (!typeLine.text.endsWith(dashes)) return content > trailer ? 'unfinished' : undefined
  const type = typeLine.text.slice(0, -dashes.length)
  let hasHeaders = false
  for (;;) {
    if (content >= text.length) return 'unfinished'
    const line = lineAt(text, content)
    if (!line.text.includes(':')) break
    hasHeaders = true
    content = line.next
  }
  if (hasHeaders && end < content) return content > trailer ? 'unfinished' : undefined
  if (!text.startsWith(type + dashes, trailer)) return undefined
  const afterEnd = lineAt(text, trailer + type.length + dashes.length)
  if (afterEnd.text !== '') return undefined
  const bytes = end > content ? decodeBase64(text.slice(content, end)) : new Uint8Array()
  return bytes && { type, hasHeaders, bytes, start: begin, end: afterEnd.next }
}

/** A line without trailing white space, and the start of the next one. */
function lineAt(text: string, at: number): { text: string; next: number } {
  const lineBreak = text.indexOf('\n', at)
  const line = lineBreak < 0 ? text.slice(at) : text.slice(at, lineBreak).replace(/\r$/, '')
  let length = line.length
  while (line[length - 1] === ' ' || line[length - 1] === '\t') length--
  return { text: line.slice(0, length), next: lineBreak < 0 ? text.length : lineBreak + 1 }
}

function decodeBase64(text: string): Uint8Array | undefined {
  const digits = text.replace(/[ \t\r\n]/g, '')
  if (digits.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(digits)) return undefined
  return Buffer.from(digits, 'base64')
}
