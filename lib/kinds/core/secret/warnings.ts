import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { ApiObject } from '../../../object/index.ts'
import type { Secret } from './validate.ts'

/** A key pair that no server could use is stored all the same, with a warning. */
export function secretWarnings(object: ApiObject): string[] {
  const { type, data = {} } = object as Secret
  if (type !== 'kubernetes.io/tls') return []
  const certificatePem = Buffer.from(data['tls.crt'] ?? '', 'base64').toString('latin1')
  const keyPem = Buffer.from(data['tls.key'] ?? '', 'base64').toString('latin1')
  if (!certificatePem.includes('-----BEGIN CERTIFICATE-----'))
    return ['tls: failed to find any PEM data in certificate input']
  if (!/-----BEGIN ([A-Z]+ )?PRIVATE KEY-----/.test(keyPem)) return ['tls: failed to find any PEM data in key input']
  try {
    const matches = new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(keyPem))
    return matches ? [] : ['tls: private key does not match public key']
  } catch {
    return ['tls: failed to parse the certificate or its private key']
  }
}
