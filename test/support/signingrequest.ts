import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { der } from '../../lib/pki/der.ts'
import { encodePem } from '../../lib/pki/index.ts'

interface SigningRequest {
  /** PEM. */
  readonly request: string
  /** PEM of the private key. */
  readonly key: string
}

/** How a request is signed: by the key, and as it says itself (AlgorithmIdentifier, DER). */
export interface Signer {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
  readonly algorithm: Buffer
  sign(body: Buffer): Buffer
}

const sha256 = '2.16.840.1.101.3.4.2.1'
const identifier = (oid: string, ...parameters: Buffer[]): Buffer => der.sequence(der.objectId(oid), ...parameters)

/** A signer with a new key for each way to sign. */
export const signers = {
  ecdsa(): Signer {
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const algorithm = identifier('1.2.840.10045.4.3.2')
    return { ...keys, algorithm, sign: (body) => sign('sha256', body, keys.privateKey) }
  },
  rsa(): Signer {
    const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const algorithm = identifier('1.2.840.113549.1.1.11')
    return { ...keys, algorithm, sign: (body) => sign('sha256', body, keys.privateKey) }
  },
  rsaPss(): Signer {
    const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const hash = identifier(sha256)
    const mask = identifier('1.2.840.113549.1.1.8', hash)
    const parameters = der.sequence(
      der.explicit(0, hash),
      der.explicit(1, mask),
      der.explicit(2, der.integer(Buffer.of(32))),
    )
    const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
    const algorithm = identifier('1.2.840.113549.1.1.10', parameters)
    return { ...keys, algorithm, sign: (body) => sign('sha256', body, { key: keys.privateKey, ...padding }) }
  },
  ed25519(): Signer {
    const keys = generateKeyPairSync('ed25519')
    return { ...keys, algorithm: identifier('1.3.101.112'), sign: (body) => sign(null, body, keys.privateKey) }
  },
} as const

/** A request of any attributes (sets, DER) and requested extensions, right or wrong, PEM. */
export function encodeSigningRequest(
  signer: Signer,
  { subject, extensions = [] }: { subject: readonly Buffer[]; extensions?: readonly Buffer[] },
): string {
  const requested = der.sequence(der.objectId('1.2.840.113549.1.9.14'), der.set(der.sequence(...extensions)))
  const body = der.sequence(
    der.integer(Buffer.of(0)),
    der.sequence(...subject),
    signer.publicKey.export({ type: 'spki', format: 'der' }),
    der.explicit(0, ...(extensions.length === 0 ? [] : [requested])),
  )
  return encodePem('CERTIFICATE REQUEST', der.sequence(body, signer.algorithm, der.bits(signer.sign(body))))
}

/** A certificate signing request (RFC 2986), by default for a new P-256 key. */
export function createSigningRequest(
  commonName: string,
  organizations: readonly string[] = [],
  signer: Signer = signers.ecdsa(),
): SigningRequest {
  const attribute = (oid: string, text: string): Buffer => der.set(der.sequence(der.objectId(oid), der.utf8(text)))
  const subject = [...organizations.map((each) => attribute('2.5.4.10', each)), attribute('2.5.4.3', commonName)]
  return {
    request: encodeSigningRequest(signer, { subject }),
    key: signer.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
