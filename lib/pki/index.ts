// pki: keys, certificates and their chains: making an authority and what it signs, reading PEM bundles, verifying the
// certificate that a client shows. Invariant: what verifies as a client's is within its time, for clients, and signed up
// to an authority of the bundle. Must not know whom a certificate stands for, nor sockets.
export { type Authority, createAuthority, type IssueOptions, type KeyPair } from './authority.ts'
export { createChainVerifier, type ChainVerifier, type VerifiedChain } from './verify.ts'
export { certificateFileNames, ensureServingPair, type ServingPairOptions } from './selfsigned.ts'
export { readCertificates } from './pem.ts'
export { readSigningRequest, type SigningRequest } from './request.ts'
export { readSubject, type Subject } from './subject.ts'
export { firstServiceAddress, servingNames, type ServingNameOptions } from './names.ts'
