// request: a request independent of its transport: its info (verb, resource, name), its options, the format of its
// answer, its user, and the Call that travels through the chain. Must not know sockets, stores or kinds.
export { type MediaRange, parseAccept } from './accept.ts'
export type {
  AuditAnnotations,
  Call,
  ListDocument,
  ObjectEvent,
  ObjectExchange,
  ObjectStream,
  Responder,
  ResponseHeaders,
  ResponseStream,
  Upgrade,
  Warnings,
} from './call.ts'
export { extraOfHeaders } from './extra.ts'
export { noRequestInfo, type RequestInfo } from './info.ts'
export {
  createNegotiator,
  type Format,
  formatMediaTypes,
  isPretty,
  type MediaTypeName,
  type Negotiated,
  type Negotiator,
  type Transform,
} from './negotiate.ts'
export { sendNoSuchPath } from './nosuchpath.ts'
export {
  type CreateOrUpdateOptions,
  checkDeleteOptions,
  type DeleteRequestOptions,
  type FieldValidationOption,
  fieldManagerErrors,
  type ListRequestOptions,
  type PatchRequestOptions,
  parseCreateOptions,
  parseDeleteOptions,
  parseGetOptions,
  parseListOptions,
  parsePatchOptions,
  parseUpdateOptions,
  plainDeletion,
  type RawDeleteOptions,
} from './options.ts'
export { decodePath, isTrue, parseRequestInfo } from './parseinfo.ts'
export type { PublicPages } from './publicpages.ts'
export { parseQuery, type QueryParameters } from './query.ts'
export {
  anonymousUser,
  authenticatedGroup,
  mastersGroup,
  nodeOf,
  nodesGroup,
  type UserInfo,
  unauthenticatedGroup,
} from './user.ts'
