// The part of node's Buffer that expressions and YAML need, for the page: esbuild puts it in the place of the global one.

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

type Encoding = 'utf8' | 'hex' | 'base64'

class PageBuffer extends Uint8Array {
  override toString(encoding: Encoding = 'utf8'): string {
    if (encoding === 'hex') return Array.from(this, (byte) => byte.toString(16).padStart(2, '0')).join('')
    if (encoding === 'base64') return btoa(Array.from(this, (byte) => String.fromCharCode(byte)).join(''))
    return decoder.decode(this)
  }
}

function own(bytes: Uint8Array): PageBuffer {
  return new PageBuffer(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)
}

function fromText(text: string, encoding: Encoding): PageBuffer {
  if (encoding === 'utf8') return own(encoder.encode(text))
  if (encoding === 'hex') {
    const pairs = /^(?:[0-9A-Fa-f]{2})*/.exec(text)?.[0] ?? ''
    return PageBuffer.from(pairs.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)) as PageBuffer
  }
  return own(fromBase64(text))
}

/** As Node: characters that are no base64 are skipped, the alphabet for URLs is read, too, and padding ends the text. */
function fromBase64(text: string): Uint8Array {
  const [before = ''] = text.replaceAll('-', '+').replaceAll('_', '/').split('=')
  const digits = before.replaceAll(/[^A-Za-z0-9+/]/g, '')
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0))
}

export const Buffer = {
  from(
    source: string | ArrayBuffer | ArrayLike<number>,
    encodingOrOffset: Encoding | number = 'utf8',
    length?: number,
  ): PageBuffer {
    if (typeof source === 'string')
      return fromText(source, typeof encodingOrOffset === 'string' ? encodingOrOffset : 'utf8')
    if ('length' in source) return PageBuffer.from(source) as PageBuffer
    return new PageBuffer(source, typeof encodingOrOffset === 'number' ? encodingOrOffset : 0, length)
  },
  byteLength: (text: string): number => encoder.encode(text).length,
  compare(a: Uint8Array, b: Uint8Array): number {
    const shared = Math.min(a.length, b.length)
    for (let index = 0; index < shared; index++) {
      const difference = (a[index] ?? 0) - (b[index] ?? 0)
      if (difference !== 0) return Math.sign(difference)
    }
    return Math.sign(a.length - b.length)
  },
  concat(parts: readonly Uint8Array[]): PageBuffer {
    const whole = new PageBuffer(parts.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const part of parts) {
      whole.set(part, at)
      at += part.length
    }
    return whole
  },
}
