// request: what a request is, apart from any transport: its info (verb, resource, name), its user, and the Call that
// travels through the chain. Must not know sockets, stores or kinds.
export type {
  AuditAnnotations,
  Call,
  Responder,
  ResponseHeaders,
  ResponseStream,
  Warnings,
} from './call.ts'
export type { RequestInfo } from './info.ts'
export { anonymousUser, authenticatedGroup, mastersGroup, unauthenticatedGroup, type UserInfo } from './user.ts'
