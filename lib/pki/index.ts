// pki: keys, certificates and their chains: making an authority and what it signs, reading PEM bundles, telling to which
// authorities the chain of a client leads. Invariant: OpenSSL decides whether a chain is good; nothing here makes a refused
// chain good. Must not know whom a certificate stands for, nor sockets.
export { type Authority, createAuthority, type IssueOptions, type KeyPair } from './authority.ts'
export { createChainVerifier, type ChainVerifier, type PresentedCertificates, type VerifiedChain } from './verify.ts'
export { certificateFileNames, ensureServingPair, type ServingPairOptions } from './selfsigned.ts'
export { readCertificates } from './pem.ts'
export { readSigningRequest, type SigningRequest } from './request.ts'
export { readSubject, type Subject } from './subject.ts'
export { firstServiceAddress, servingNames, type ServingNameOptions } from './names.ts'
