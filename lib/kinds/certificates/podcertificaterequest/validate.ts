import type { KeyObject } from 'node:crypto'
import type * as certificates from '../../../../api/gen/certificates.k8s.io/v1beta1.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  semanticEqual,
  validateDns1123Subdomain,
  validateSignerName,
} from '../../../object/index.ts'
import {
  encodePem,
  provesPossession,
  readPublicKey,
  readSigningRequest,
  SigningRequestError,
} from '../../../pki/index.ts'
import { checkFormat, checkRequiredFormat } from '../../check.ts'
import { checkUserAnnotations } from '../../meta/userannotations.ts'
import { isKubernetesSigner } from '../signers.ts'

export type Request = certificates.PodCertificateRequest
type Spec = certificates.PodCertificateRequestSpec

export const requestOf = (object: ApiObject): Request => object as Request

const spec = FieldPath.root('spec')
const uidBytesMax = 128
/** Limit of a key, a proof and a signing request; an RSA key of 4096 bits has some 550. */
const keyBytesMax = 10 * 1024
/** Lifetimes that requests may name. */
export const podCertificateSeconds = { min: 3600, max: 91 * 86_400, kubernetesMax: 86_400, default: 86_400 } as const

export function validateRequest(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const given = requestOf(object).spec
  checkRequiredFormat(errors, given.signerName, spec.child('signerName'), validateSignerName)
  const annotations = given.unverifiedUserAnnotations
  if (annotations) checkUserAnnotations(errors, annotations, spec.child('unverifiedUserAnnotations'))
  for (const [name, uid] of [
    ['podName', 'podUID'],
    ['serviceAccountName', 'serviceAccountUID'],
    ['nodeName', 'nodeUID'],
  ] as const) {
    checkFormat(errors, given[name], spec.child(name), validateDns1123Subdomain)
    checkUid(errors, given[uid], spec.child(uid))
  }
  if (!checkExpiration(errors, given)) return errors
  errors.push(...keyFaults(given))
  return errors
}

function checkUid(errors: FieldError[], uid: string, path: FieldPath): void {
  if (uid === '') errors.push(fieldErrors.invalid(path, uid, 'must not be empty'))
  if (Buffer.byteLength(uid) > uidBytesMax) errors.push(fieldErrors.tooLong(path, uidBytesMax))
}

/** False: nothing else is checked then. */
function checkExpiration(errors: FieldError[], { maxExpirationSeconds: seconds, signerName }: Spec): boolean {
  const path = spec.child('maxExpirationSeconds')
  if (seconds === undefined) {
    errors.push(fieldErrors.required(path, 'must be set'))
    return false
  }
  const { min, max, kubernetesMax } = podCertificateSeconds
  const most = isKubernetesSigner(signerName) ? kubernetesMax : max
  if (seconds < min || seconds > most)
    errors.push(fieldErrors.invalid(path, seconds, `must be in the range [${min}, ${most}]`))
  return true
}

/** The key comes within a signing request, or, deprecated, as itself with a proof of possession. */
function keyFaults(given: Spec): FieldError[] {
  const { pkixPublicKey = '', proofOfPossession = '', stubPKCS10Request = '' } = given
  const older = [pkixPublicKey, proofOfPossession].filter((text) => text !== '').length
  if (stubPKCS10Request !== '' && older === 0) return stubFaults(stubPKCS10Request)
  if (stubPKCS10Request === '' && older === 2) return possessionFaults(given)
  const why = 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set'
  return [fieldErrors.invalidBare(spec, why)]
}

const bytesOf = (base64: string): Buffer => Buffer.from(base64, 'base64')

const pkixPath = spec.child('pkixPublicKey')
const proofPath = spec.child('proofOfPossession')
const stubPath = spec.child('stubPKCS10Request')

function possessionFaults({ pkixPublicKey, proofOfPossession, podUID }: Spec): FieldError[] {
  const key = bytesOf(pkixPublicKey ?? '')
  const proof = bytesOf(proofOfPossession ?? '')
  if (key.length > keyBytesMax) return [fieldErrors.tooLong(pkixPath, keyBytesMax)]
  if (proof.length > keyBytesMax) return [fieldErrors.tooLong(proofPath, keyBytesMax)]
  const read = readPublicKey(key)
  if (read === undefined)
    return [fieldErrors.invalid(pkixPath, pkixPublicKey, 'must be a valid PKIX-serialized public key')]
  const fault = typeFault(read, pkixPath, pkixPublicKey ?? '', 'P256 or P384')
  if (fault) return [fault]
  if (provesPossession(read, podUID, proof)) return []
  return [fieldErrors.invalidBare(proofPath, 'could not verify proof-of-possession signature')]
}

function stubFaults(base64: string): FieldError[] {
  const der = bytesOf(base64)
  if (der.length > keyBytesMax) return [fieldErrors.tooLong(stubPath, keyBytesMax)]
  const request = readStub(der)
  if (request === undefined) return [fieldErrors.invalid(stubPath, base64, 'must be a valid PKCS#10 CSR')]
  const fault = typeFault(request.publicKey, stubPath, base64, 'P256, P384, or P521')
  if (fault) return [fault]
  return request.signatureFinding() === '' ? [] : [fieldErrors.invalidBare(stubPath, 'invalid signature')]
}

function readStub(der: Uint8Array): ReturnType<typeof readSigningRequest> | undefined {
  try {
    return readSigningRequest(encodePem('CERTIFICATE REQUEST', der))
  } catch (error) {
    if (error instanceof SigningRequestError) return undefined
    throw error
  }
}

const curveNames: Readonly<Record<string, string>> = {
  secp224r1: 'P-224',
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
}
const curves = new Set(['P-256', 'P-384', 'P-521'])
const rsaBits = new Set([3072, 4096])

/** The error of a key of a type or size that no kubelet makes. `names`: the curves, as the message lists them. */
function typeFault(key: KeyObject | undefined, path: FieldPath, base64: string, names: string): FieldError | undefined {
  const details = key?.asymmetricKeyDetails
  switch (key?.asymmetricKeyType) {
    case 'ed25519':
      return undefined
    case 'ec': {
      const curve = curveNames[details?.namedCurve ?? ''] ?? details?.namedCurve ?? ''
      if (curves.has(curve)) return undefined
      return fieldErrors.invalid(path, `curve ${curve}`, `elliptic public keys must use curve ${names}`)
    }
    case 'rsa': {
      const bits = Math.ceil((details?.modulusLength ?? 0) / 8) * 8
      if (rsaBits.has(bits)) return undefined
      return fieldErrors.invalid(path, `${bits}-bit modulus`, 'RSA keys must have modulus size 3072 or 4096')
    }
    default: {
      const why = 'unknown public key type; supported types are Ed25519, ECDSA, and RSA'
      return fieldErrors.invalid(path, base64, why)
    }
  }
}

/** The public key that a valid request names. */
export function requestedKey({ spec: { pkixPublicKey = '', stubPKCS10Request = '' } }: Request): KeyObject | undefined {
  if (stubPKCS10Request !== '') return readStub(bytesOf(stubPKCS10Request))?.publicKey
  return readPublicKey(bytesOf(pkixPublicKey))
}

export function validateRequestUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const [now, before] = [requestOf(object).spec, requestOf(old).spec]
  return semanticEqual(now, before) ? [] : [fieldErrors.immutable(spec, now)]
}
