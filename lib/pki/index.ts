// pki: keys, certificates and their chains: making an authority and what it signs, reading PEM bundles, telling to which
// authorities the chain of a client leads. Invariants: OpenSSL decides whether a chain is good; nothing here makes a refused
// chain good. There is one reader of PEM and one of signing requests, and bytes of a certificate are parsed by
// `parseCertificate` alone. Must not know whom a certificate stands for, nor sockets.
export { type Authority, createAuthority, type KeyPair } from './authority.ts'
export {
  normalizeAuthorities,
  parseCertificate,
  readCertificate,
  readCertificates,
} from './certificates.ts'
export { clientTls } from './clienttls.ts'
export { DerError, DerReader, derTags } from './derreader.ts'
export { firstServiceAddress, servingNames } from './names.ts'
export { encodePem, type PemBlock, readPem } from './pem.ts'
export { readSigningRequest, SigningRequestError } from './request.ts'
export {
  ensureServingPair,
  IncompletePair,
  makeServingPair,
  renewServingPair,
  type ServingPair,
} from './selfsigned.ts'
export { signRequest } from './signrequest.ts'
export { readSubject } from './subject.ts'
export { type ChainVerifier, createChainVerifier, type PresentedCertificates } from './verify.ts'
