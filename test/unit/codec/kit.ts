import { tables } from '../../../api/index.ts'
import { createStructCodecs, decodeJson, encodeJson, type StructCodec } from '../../../lib/codec/index.ts'
import { compileTables } from '../../../lib/schema/index.ts'

const types = compileTables(tables)
const codecs = createStructCodecs()

export function codecOf(name: string): StructCodec {
  return codecs(types.struct(name))
}

/** The codec of a kind, by its apiVersion. */
export function codecOfKind(apiVersion: string, kind: string): StructCodec | undefined {
  const name = `${apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`}.${kind}`
  if (types.has(name)) return codecOf(name)
  return types.has(`meta/v1.${kind}`) ? codecOf(`meta/v1.${kind}`) : undefined
}

export function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value), 'utf8')
}

export function decode(name: string, body: unknown): Record<string, unknown> {
  return decodeJson(bytesOf(body), codecOf(name)).object
}

export function strictErrors(name: string, body: unknown): readonly string[] {
  return decodeJson(bytesOf(body), codecOf(name), { strict: true }).strictErrors
}

export function encode(name: string, object: object, options?: { pretty: boolean }): string {
  return Buffer.from(encodeJson(object, codecOf(name), options)).toString('utf8')
}
