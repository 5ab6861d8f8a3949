// proxy: forwards requests and upgrades to another server over HTTP/1.1 or HTTP/2, and its answers back. Invariant:
// bodies are streamed at the speed of the slower side; no header of one connection, and no credential of the client, is
// forwarded. Must not know what the other server is, nor for which user it acts.
export { type Backend, type BackendAnswer, type BackendResponse, createBackend, type ForwardTarget } from './backend.ts'
export { forward } from './forward.ts'
export { AddressRefused } from './guardedlookup.ts'
export { answerHeaders, forwardedHeaders, type RequestHeaders, userHeaders } from './headers.ts'
export { createIdleLimit, type IdleLimit } from './idlelimit.ts'
export { pump } from './pump.ts'
export { sendText } from './sendtext.ts'
export { createServers } from './servers.ts'
export { throttle } from './throttle.ts'
