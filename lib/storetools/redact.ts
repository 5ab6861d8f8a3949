import { isRecord } from '../base/index.ts'
import { type JsonValue, setField } from '../object/index.ts'

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** A Secret whose values are replaced with their sizes. */
export function redactSecret(object: JsonValue): JsonValue {
  if (!isRecord(object)) return object
  const shown: Record<string, JsonValue> = {}
  for (const [name, value] of Object.entries(object) as [string, JsonValue][])
    setField(shown, name, name === 'data' || name === 'stringData' ? sizes(value) : value)
  const { metadata } = shown
  if (isRecord(metadata)) setField(shown, 'metadata', withoutLastApplied(metadata as Record<string, JsonValue>))
  return shown
}

function sizes(data: JsonValue): JsonValue {
  if (!isRecord(data)) return '<redacted>'
  const shown: Record<string, JsonValue> = {}
  for (const [name, value] of Object.entries(data)) {
    const bytes = typeof value === 'string' ? Buffer.byteLength(value, 'base64') : 0
    setField(shown, name, `<redacted: ${bytes} bytes>`)
  }
  return shown
}

/** kubectl keeps its last applied configuration as text, including the values. */
function withoutLastApplied(metadata: Record<string, JsonValue>): JsonValue {
  const { annotations } = metadata
  if (!isRecord(annotations) || !Object.hasOwn(annotations, lastApplied)) return metadata
  return { ...metadata, annotations: { ...annotations, [lastApplied]: '<redacted>' } as JsonValue }
}
