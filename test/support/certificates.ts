import { createPublicKey, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto'
import { der } from '../../lib/pki/der.ts'

/** A certificate as a test wants it, right or wrong: nothing is checked. */
export interface Made {
  readonly pem: string
  readonly raw: Uint8Array
  readonly subject: Buffer
  readonly key: KeyObject
}

interface MadeOptions {
  /** Attributes of the subject, in order: `['CN=jane', 'O=dev']`. */
  readonly subject: readonly string[]
  /** Absent: the certificate is self-signed. */
  readonly issuer?: Pick<Made, 'subject' | 'key'>
  readonly key?: KeyObject
  readonly extensions?: readonly Buffer[]
  readonly startMs?: number
  readonly endMs?: number
}

const dayMs = 24 * 3600 * 1000
const types: Readonly<Record<string, string>> = { CN: '2.5.4.3', O: '2.5.4.10' }

export function newKey(namedCurve = 'P-256'): KeyObject {
  return generateKeyPairSync('ec', { namedCurve }).privateKey
}

function nameOf(attributes: readonly string[]): Buffer {
  return der.sequence(
    ...attributes.map((attribute) => {
      const [type = '', value = ''] = attribute.split('=')
      return der.set(der.sequence(der.objectId(types[type] ?? type), der.utf8(value)))
    }),
  )
}

export function extension(oid: string, isCritical: boolean, value: Uint8Array): Buffer {
  return der.sequence(der.objectId(oid), ...(isCritical ? [der.boolean(true)] : []), der.octets(value))
}

/** Basic constraints of an authority, with at most so many authorities below it. */
export function authorityExtension(pathLength?: number): Buffer {
  const length = pathLength === undefined ? [] : [der.integer(Buffer.of(pathLength))]
  return extension('2.5.29.19', true, der.sequence(der.boolean(true), ...length))
}

/** Extended key usage, by default for clients. */
export function usageExtension(...usages: string[]): Buffer {
  const oids = usages.length === 0 ? ['1.3.6.1.5.5.7.3.2'] : usages
  return extension('2.5.29.37', false, der.sequence(...oids.map(der.objectId)))
}

/** Critical name constraints that permit one directory name. */
export function permittedNames(attributes: readonly string[]): Buffer {
  const directoryName = der.explicit(4, nameOf(attributes))
  return extension('2.5.29.30', true, der.sequence(der.explicit(0, der.sequence(directoryName))))
}

export function makeAnyCertificate(options: MadeOptions): Made {
  const { key = newKey(), startMs = Date.now() - dayMs, endMs = Date.now() + dayMs, extensions = [] } = options
  const subject = nameOf(options.subject)
  const issuer = options.issuer ?? { subject, key }
  const isRsa = issuer.key.asymmetricKeyType === 'rsa'
  const algorithm = isRsa
    ? der.sequence(der.objectId('1.2.840.113549.1.1.11'), Buffer.of(5, 0))
    : der.sequence(der.objectId('1.2.840.10045.4.3.2'))
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const body = der.sequence(
    der.explicit(0, der.integer(Buffer.of(2))),
    der.integer(Buffer.from([1, ...crypto.getRandomValues(new Uint8Array(8))])),
    algorithm,
    issuer.subject,
    der.sequence(der.time(startMs), der.time(endMs)),
    subject,
    publicKey,
    ...(extensions.length === 0 ? [] : [der.explicit(3, der.sequence(...extensions))]),
  )
  const raw = der.sequence(body, algorithm, der.bits(sign('sha256', body, issuer.key)))
  return { raw, subject, key, pem: new X509Certificate(raw).toString() }
}

export function keyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}
