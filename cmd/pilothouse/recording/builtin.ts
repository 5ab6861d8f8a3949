import { tables } from '../../../api/index.ts'
import { readEnvelope } from '../../../lib/codec/index.ts'
import { groupOrder } from '../../../lib/controlplane/index.ts'
import { createFeatureGates } from '../../../lib/features/index.ts'
import { builtInKinds, createKindSet } from '../../../lib/kinds/index.ts'
import { parseGroupVersion } from '../../../lib/object/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'

/** Decodes protobuf of built-in kinds to JSON values; throws for others and for broken bytes. */
export function createProtobufDecoder(): (bytes: Uint8Array) => unknown {
  const kinds = createKindSet(builtInKinds).get
  const { objects } = createScheme({ tables, order: groupOrder, kinds, gate: createFeatureGates().gate })
  return (bytes) => {
    const { apiVersion, kind } = readEnvelope(bytes)
    const version = parseGroupVersion(apiVersion)
    if (!version) throw new Error('the body has no version')
    const mediaType = 'application/vnd.kubernetes.protobuf'
    const { object } = objects.decodeObject(bytes, { mediaType, expected: { ...version, kind }, defaults: false })
    return JSON.parse(Buffer.from(objects.encodeObject(object, { mediaType: 'application/json' })).toString())
  }
}
