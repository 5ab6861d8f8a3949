import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { der } from '../../lib/pki/der.ts'
import { authorityExtension, extension, keyPem, type Made, makeAnyCertificate, usageExtension } from './certificates.ts'

/** The certificates of a front proxy, as files, and of a backend that is the service `backend` of the namespace `default`. */
export function makeFrontProxy(folder: string): {
  authority: Made
  files: Record<'ca' | 'cert' | 'key', string>
  serving: Made
} {
  const authority = makeAnyCertificate({ subject: ['CN=front-proxy-ca'], extensions: [authorityExtension()] })
  const proxy = makeAnyCertificate({ subject: ['CN=front-proxy'], issuer: authority, extensions: [usageExtension()] })
  const names = der.sequence(Buffer.concat([Buffer.from([0x82, 19]), Buffer.from('backend.default.svc')]))
  const serving = makeAnyCertificate({
    subject: ['CN=backend'],
    issuer: authority,
    extensions: [extension('2.5.29.17', false, names), usageExtension('1.3.6.1.5.5.7.3.1')],
  })
  const files = { ca: join(folder, 'ca.pem'), cert: join(folder, 'proxy.pem'), key: join(folder, 'proxy-key.pem') }
  writeFileSync(files.ca, authority.pem)
  writeFileSync(files.cert, proxy.pem)
  writeFileSync(files.key, keyPem(proxy.key), { mode: 0o600 })
  return { authority, files, serving }
}
