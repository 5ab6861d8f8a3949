// endpoints: the verbs from a request to its answer, a file each: decode, own, admit, validate, store, respond. Reads
// are served as bytes from the cache; writes go through the registry. Must not know sockets: it reads a Call and writes
// to its Responder, and throws StatusErrors that the server answers.
export type { Endpoint } from './endpoint.ts'
export type { LargeWork } from './largework.ts'
export { createResources, type Resources, type ResourcesOptions } from './resources.ts'
export { createBindingHandlers } from './virtual/binding.ts'
export { createEvictionHandler } from './virtual/eviction.ts'
export { createSelfSubjectReviewHandler } from './virtual/selfsubjectreview.ts'
export { createRulesReviewHandler } from './virtual/selfsubjectrulesreview.ts'
export { createAccessReviewHandlers } from './virtual/subjectaccessreview.ts'
export { createTokenRequestHandler } from './virtual/tokenrequest.ts'
export { createTokenReviewHandler } from './virtual/tokenreview.ts'
export type { VirtualHandler, VirtualKit } from './virtual/virtualhandler.ts'
