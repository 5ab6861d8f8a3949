// scheme: every group, version, kind and resource as data, and the way between objects and bytes: decoding a request's
// body, encoding answers, the stored form, versions of a kind. The server chooses the served versions; kinds hand in
// their behaviour (defaults, conversions).
export { ConversionNeeded, withConversions } from './conversionneeded.ts'
export { createScheme } from './createscheme.ts'
export type { MirroredField } from './mirrors.ts'
export type { HeldConversions, ObjectCodec, StoredObject } from './objectcodec.ts'
export type { StoredEncoder, StoredReader } from './storedreader.ts'
export type {
  Decoded,
  DecodeOptions,
  FieldValidation,
  GroupDefinition,
  ItemParts,
  JsonTree,
  KindHooks,
  MediaType,
  ResourceDefinition,
  Scheme,
  WatchFramer,
} from './scheme.ts'
export {
  namedTooEarly,
  type NewerVersions,
  type RuntimeConfig,
  selectServed,
  unknownRuntimeConfig,
  unknownStorageVersions,
} from './served.ts'
export { jsonKind, readTypeMeta, summarizeBody, typeMetaStruct } from './body.ts'
