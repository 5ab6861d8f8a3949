// scheme: every group, version, kind and resource as data, and the conversion between objects and bytes: decoding a
// request's body, encoding answers, the stored form, versions of a kind. The server chooses the served versions; kinds
// provide their behaviour (defaults, conversions).

export { jsonKind, readTypeMeta, summarizeBody, typeMetaStruct } from './body.ts'
export { ConversionNeeded, withConversions } from './conversionneeded.ts'
export { createScheme } from './createscheme.ts'
export type {
  Decoded,
  DecodeOptions,
  FieldValidation,
  ItemParts,
  JsonTree,
  KindCodec,
  MediaType,
  WatchFramer,
} from './kindcodec.ts'
export type { MirroredField } from './mirrors.ts'
export type { CodecCapabilities, HeldConversions, ObjectCodec, StoredObject } from './objectcodec.ts'
export type { GroupDefinition, KindHooks, ResourceDefinition, Scheme } from './scheme.ts'
export {
  type NewerVersions,
  namedTooEarly,
  type RuntimeConfig,
  selectServed,
  unknownRuntimeConfig,
  unknownStorageVersions,
} from './served.ts'
export type { StoredEncoder, StoredReader } from './storedreader.ts'
