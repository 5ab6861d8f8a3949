// pki: keys, certificates and their chains: making an authority and what it signs, reading PEM bundles, telling to which
// authorities the chain of a client leads. Invariant: OpenSSL decides whether a chain is good; nothing here makes a refused
// chain good. Must not know whom a certificate stands for, nor sockets.
export { type Authority, createAuthority, type KeyPair } from './authority.ts'
export { createChainVerifier, type ChainVerifier, type PresentedCertificates } from './verify.ts'
export { ensureServingPair } from './selfsigned.ts'
export { readAuthorities, readCertificates } from './pem.ts'
export { readRequestedCertificate } from './requestedcertificate.ts'
export { readSigningRequest } from './request.ts'
export { DerError, type DerElement, DerReader, derTags } from './derreader.ts'
export { readSubject } from './subject.ts'
export { firstServiceAddress, servingNames } from './names.ts'
