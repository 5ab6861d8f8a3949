import { createPrivateKey } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { SigningAuthority } from '../../controller/index.ts'
import { type KeyPair, readCertificates } from '../../pki/index.ts'

/** A signing authority that is read again when its files have changed. */
export interface AuthoritySource {
  /** Rejects while the files hold no matching pair. */
  current(): Promise<{ pair: KeyPair; endMs: number }>
}

export function createAuthoritySource(authority: SigningAuthority): AuthoritySource {
  if ('certificate' in authority) {
    const read = checked(authority)
    return { current: () => Promise.resolve(read) }
  }
  const { certFile, keyFile } = authority
  let version = ''
  let last: ReturnType<typeof checked> | undefined
  return {
    async current() {
      const found = (await Promise.all([stat(certFile), stat(keyFile)]))
        .map(({ mtimeMs, size, ino }) => `${mtimeMs}/${size}/${ino}`)
        .join()
      if (last !== undefined && found === version) return last
      const [certificate, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')])
      last = checked({ certificate, key })
      version = found
      return last
    },
  }
}

function checked(pair: KeyPair): { pair: KeyPair; endMs: number } {
  const [certificate, ...more] = readCertificates(pair.certificate)
  if (certificate === undefined || more.length > 0)
    throw new Error('the file of a signing certificate must hold exactly one certificate')
  if (!certificate.checkPrivateKey(createPrivateKey(pair.key)))
    throw new Error("the signing certificate doesn't fit its key")
  return { pair, endMs: certificate.validToDate.getTime() }
}
