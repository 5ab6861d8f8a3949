// certificates: the rules of the signers in kubernetes.io, for the controllers that approve requests and those that sign.
// Invariant: pure. Must not know the API, nor keys.
export {
  apiserverClientSigner,
  type CertificateView,
  kubeletClientSigner,
  kubeletClientViolation,
  kubeletServingSigner,
  legacyUnknownSigner,
  signerRules,
} from '../../kinds/index.ts'
export { pemOf } from './pem.ts'
