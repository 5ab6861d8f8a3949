import { type ApiObject, setField } from '../../../object/index.ts'

/** Sets the default type; moves stringData, which is write-only, to data. */
export function defaultSecret(object: ApiObject): void {
  object.type ??= 'Opaque'
  const texts = object.stringData as Record<string, string> | undefined
  if (texts === undefined) return
  delete object.stringData
  if (Object.keys(texts).length === 0) return
  const data = (object.data ??= {}) as Record<string, unknown>
  for (const key of Object.keys(texts)) setField(data, key, Buffer.from(texts[key] ?? '').toString('base64'))
}
