// pki: keys, certificates and their chains: creating an authority and signing with it, reading PEM bundles, finding the
// authorities to which a client's chain leads. Invariants: OpenSSL decides whether a chain is valid; nothing here makes
// a refused chain valid. There is one reader of PEM and one of signing requests, and only
// `parseCertificate` parses bytes of a certificate. Must not know whom a certificate identifies, nor sockets.
export { type Authority, createAuthority, type KeyPair } from './authority.ts'
export { alternativeNamesOf } from './certificatenames.ts'
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
export { provesPossession, readPublicKey } from './possession.ts'
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
