// codec: objects to bytes and back, in JSON, YAML, protobuf and CBOR, by functions compiled from each struct's fields on
// first use. Invariant: whatever decodes is a typed object in canonical form, whatever encodes equals the stock server's
// bytes. Knows types, no kinds, groups or resources; hostile bytes end in a DecodeError.
export { DecodeError, nestingMax } from './error.ts'
export { type DecodedStruct, decodeJson, parseJson } from './json/decode.ts'
export { encodeJson } from './json/encode.ts'
export { writeJson } from './json/write.ts'
export { type Envelope, hasEnvelope, readEnvelope } from './protobuf/envelope.ts'
export { decodeMessage, MessageWriter } from './protobuf/message.ts'
export { createStructCodecs, type StructCodec } from './structcodec.ts'
export { strictErrorsMax } from './typed/strict.ts'
