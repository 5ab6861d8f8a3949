import { nothing } from './frames.ts'

/** Header blocks (RFC 7541, 6) of single representations, as a client may choose them. */

/** An entry of the static (1 to 61) or the dynamic table. */
export function indexed(index: number): Buffer {
  return integer(0x80, 7, index)
}

/** A literal that neither side remembers. The name is an index where it is a number. */
export function literal(name: string | number, value: string): Buffer {
  return field(0x00, 4, name, value)
}

/** As `literal`, and nobody on the way may remember it either. */
export function neverIndexed(name: string | number, value: string): Buffer {
  return field(0x10, 4, name, value)
}

/** A literal that becomes the newest entry of the dynamic table. */
export function remembered(name: string | number, value: string): Buffer {
  return field(0x40, 6, name, value)
}

export function tableSize(bytes: number): Buffer {
  return integer(0x20, 5, bytes)
}

/** The newest entry of the dynamic table. */
export const newest = 62

function field(bits: number, prefix: number, name: string | number, value: string): Buffer {
  const named = typeof name === 'number' ? [integer(bits, prefix, name)] : [Buffer.from([bits]), text(name)]
  return Buffer.concat([...named, text(value)])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1')
  return Buffer.concat([integer(0, 7, bytes.length), bytes])
}

/** RFC 7541, 5.1. */
export function integer(bits: number, prefix: number, value: number): Buffer {
  const full = 2 ** prefix - 1
  if (value < full) return Buffer.from([bits | value])
  const bytes = [bits | full]
  let rest = value - full
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80)
  bytes.push(rest)
  return Buffer.from(bytes)
}

export const pod = '/api/v1/namespaces/default/pods/web'

export interface Request {
  readonly method?: string
  readonly path?: string
  readonly authority?: string
  /** Representations behind the pseudo-headers. */
  readonly more?: readonly Buffer[]
}

/** A request's block, without Huffman and without a trace in the dynamic table. */
export function requestBlock({ method = 'GET', path = pod, authority = 'x', more = [] }: Request = {}): Buffer {
  const methods: Readonly<Record<string, Buffer>> = { GET: indexed(2), POST: indexed(3) }
  return Buffer.concat([
    methods[method] ?? literal(2, method),
    indexed(7),
    literal(4, path),
    authority === '' ? nothing : literal(1, authority),
    ...more,
  ])
}
