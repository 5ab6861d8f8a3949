// server: the secure port: TLS, HTTP/1.1 and HTTP/2, the filter chain, health, metrics and graceful stop. Invariant:
// every request is answered once, whatever its handler, its client or its deadline does. The only room (with client,
// aggregation and storage/etcd) that knows sockets; it must not know kinds or stores.
export { type CallObserver, type Finisher, ServerCall } from './call.ts'
export type { Filter, Next } from './chain.ts'
export type { AuditSeam, ResourceHandler, ServerDependencies } from './contract.ts'
export { type DebugSocketDependencies, openDebugSocket } from './debugsocket.ts'
export { sendText } from './failure.ts'
export { type EncodedStatus, type EncodeStatus, encodeStatusAsJson, ServerStopping, ClientGone } from './errors.ts'
export { versionRoute } from './nonresource/pages.ts'
export { createAudit } from './filters/audit.ts'
export { createImpersonation } from './filters/impersonate.ts'
export type { HealthCheck, HealthPage, PostStartHook } from './health.ts'
export type { TlsOptions } from './listener.ts'
export { defaultServerOptions, type ServerOptions, validateServerOptions } from './options.ts'
export type { NonResourceRoute, RouteParameters } from './routes.ts'
export { createServer, type Server } from './server.ts'
export {
  type CertificateFiles,
  type CertificatePair,
  type CertificateProvider,
  fixedCertificates,
  type TlsMaterial,
  watchCertificateFiles,
} from './tls/certificates.ts'
export { cipherList, cipherWarnings, curveList, tlsVersion } from './tls/ciphers.ts'
