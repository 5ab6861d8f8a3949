// Bodies in any format of the API as JSON values.
/** Parses the body of a media type. */
type BodyReader = (bytes: Uint8Array, contentType: string) => Promise<unknown>

/**
 * Protobuf is understood of the built-in kinds, by machinery that is loaded for the first such body. The reader rejects with an
 * Error for other formats and for broken bodies.
 */
export function createBodyReader(): BodyReader {
  let decode: ((bytes: Uint8Array) => unknown) | undefined
  return async (bytes, contentType) => {
    const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    if (type === 'application/json' || type.endsWith('+json') || type === '') return JSON.parse(textOf(bytes))
    if (/^application\/(x-)?yaml$|\+yaml$/.test(type)) {
      const { parse } = await import('yaml')
      return parse(textOf(bytes), { maxAliasCount: 100 }) as unknown
    }
    if (type !== 'application/vnd.kubernetes.protobuf') throw new Error(`${type} is not read here`)
    const { createProtobufDecoder } = await import('./builtin.ts')
    decode ??= createProtobufDecoder()
    return decode(bytes)
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}
