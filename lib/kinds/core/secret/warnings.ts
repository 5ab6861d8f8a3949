import { createPrivateKey } from 'node:crypto'
import type { ApiObject } from '../../../object/index.ts'
import { encodePem, type PemBlock, parseCertificate, readPem } from '../../../pki/index.ts'
import type { Secret } from './validate.ts'

/** An unusable key pair is stored, with a warning. */
export function secretWarnings(object: ApiObject): string[] {
  const { type, data = {} } = object as Secret
  if (type !== 'kubernetes.io/tls') return []
  const blocksOf = (name: string): PemBlock[] => readPem(Buffer.from(data[name] ?? '', 'base64').toString('latin1'))
  const certificate = blocksOf('tls.crt').find(({ type }) => type === 'CERTIFICATE')
  if (!certificate) return ['tls: failed to find any PEM data in certificate input']
  const key = blocksOf('tls.key').find(({ type }) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'))
  if (!key) return ['tls: failed to find any PEM data in key input']
  try {
    const matches = parseCertificate(certificate.bytes).checkPrivateKey(
      createPrivateKey(encodePem(key.type, key.bytes)),
    )
    return matches ? [] : ['tls: private key does not match public key']
  } catch {
    return ['tls: failed to parse the certificate or its private key']
  }
}
