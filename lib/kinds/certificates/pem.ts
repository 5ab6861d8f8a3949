/** One block of a PEM text. */
interface PemBlock {
  readonly type: string
  readonly hasHeaders: boolean
  readonly bytes: Uint8Array
}

const block = /-----BEGIN ([^\n]*?)-----[ \t]*\r?\n([\s\S]*?)-----END \1-----[ \t]*(?:\r?\n|$)/g

/** The blocks of a PEM text; text between them, and malformed blocks, are ignored. */
export function parsePem(text: string): PemBlock[] {
  return Array.from(text.matchAll(block), ([, type = '', content = '']) => {
    const hasHeaders = /^[^\n]*:/.test(content)
    const base64 = hasHeaders ? content.replace(/^[\s\S]*?\r?\n\r?\n/, '') : content
    return { type, hasHeaders, bytes: Buffer.from(base64, 'base64') }
  })
}
