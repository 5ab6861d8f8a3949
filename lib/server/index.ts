// server: the secure port: TLS, HTTP/1.1 and HTTP/2, the filter chain, health, metrics and graceful stop. Invariant:
// every request is answered once, whatever its handler, its client or its deadline does. With client, aggregation and
// storage/etcd the only room that knows sockets; it must not know kinds or stores.
export { ServerCall } from './call.ts'
export type { ServerFilter } from './chain.ts'
export type { OwnReport, ResourceHandler, ServerDependencies, Siblings } from './contract.ts'
export { type DebugSocketDependencies, openDebugSocket } from './debugsocket.ts'
export { type EncodedStatus, type EncodeStatus, encodeStatusAsJson } from './errors.ts'
export { sendText } from './failure.ts'
export type { CallFault } from './faults/injectfaults.ts'
export { createAudit } from './filters/audit.ts'
export { impersonate, impersonateConstrained } from './filters/impersonate.ts'
export type { HealthCheck, HealthPage, PostStartHook } from './health.ts'
export type { ListenerTlsOptions } from './listener.ts'
export { versionRoute } from './nonresource/pages.ts'
export { defaultServerOptions, type ServerOptions, validateServerOptions } from './options.ts'
export type { NonResourceRoute } from './routes.ts'
export { createServer, type Server } from './server.ts'
export {
  type CertificateFiles,
  type CertificateProvider,
  fixedCertificates,
  type TlsMaterial,
  watchCertificateFiles,
} from './tls/certificates.ts'
export { cipherList, cipherWarnings, curveList, tlsVersion } from './tls/ciphers.ts'
export { warningHeader } from './warnings.ts'
