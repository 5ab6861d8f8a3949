// codec: objects to bytes and back, in JSON, YAML, protobuf and CBOR, by functions compiled from each struct's fields
// on first use. Invariant: decoding gives a typed object in canonical form, encoding gives the stock server's bytes.
// Knows types, no kinds, groups or resources; hostile bytes end in a DecodeError.
export { decodeCbor, decodeCborSequence } from './cbor/decode.ts'
export { encodeCbor, encodeCborItem, encodeUntypedCbor } from './cbor/encode.ts'
export * as cborFrames from './cbor/frame.ts'
export { type Document, splitDocuments } from './documents.ts'
export { DecodeError, nestingMax } from './error.ts'
export { CanonicalStructs } from './json/canonicalstruct.ts'
export {
  decodeJson,
  decodeParsed,
  decodeValue,
  parseBody,
  parseJson,
  parseOwnJson,
  parseOwnObject,
} from './json/decode.ts'
export { encodeJson, encodeKeptJson } from './json/encode.ts'
export * as jsonFrames from './json/frame.ts'
export { indentJson } from './json/indent.ts'
export { SortedText } from './json/sortedtext.ts'
export { JsonSpans, type Span } from './json/spans.ts'
export { Members, readMembers, wantedMembers } from './json/textparts.ts'
export { parseTree } from './json/tree.ts'
export {
  decodeUntyped,
  encodeUntyped,
  untypedText,
} from './json/untyped.ts'
export { writeJson } from './json/write.ts'
export { hasManyValues, largeBytesMin } from './manyvalues.ts'
export { type CheckTable, checkMessage, type Digest } from './protobuf/check.ts'
export { hasEnvelope, readEnvelope, storedEnvelope } from './protobuf/envelope.ts'
export { FieldFinder } from './protobuf/fieldfinder.ts'
export * as protobufFrames from './protobuf/frame.ts'
export { decodeFields, decodeMessage, MessageWriter } from './protobuf/message.ts'
export { readLabels, readObjectMeta } from './protobuf/objectmeta.ts'
export { hasMetadata, isCanonicalMessage, MessageSplicing, MessageTranscoding } from './protobuf/raw.ts'
export { RecentParts } from './protobuf/recentparts.ts'
export { isEmbedded } from './protobuf/wire.ts'
export { parseStored } from './stored.ts'
export { createStructCodecs, type StructCodec, type StructCodecs } from './structcodec.ts'
export { explainTree } from './typed/explaintree.ts'
export { strictErrorsMax } from './typed/strict.ts'
export { checkValues, mayExceedValues, TooManyValues, valuesMax } from './values.ts'
export {
  aliasValuesMax,
  type DecodedYaml,
  decodeJsonAsYaml,
  decodeYaml,
  yamlInlineBytesMax,
  yamlMarkersMax,
} from './yaml/decode.ts'
export { formatDuplicates, warningsOf } from './yaml/duplicates.ts'
export { encodeYaml, yamlChunks, yamlListChunks } from './yaml/encode.ts'
