import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ConnectionOptions, connect } from 'node:tls'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'

const authority = createAuthority({ clock: systemClock, random: systemRandom }, { commonName: 'test authority' })

interface Greeting {
  /** Common name of the certificate that was shown. */
  readonly name: string
  readonly protocol: string | null
  readonly cipher: string
}

describe('apiserver: TLS flags', () => {
  const folder = scratchFolder('tls')
  const path = (name: string): string => join(folder.path, name)
  let server: ServerProcess

  function writePair(file: string, name: string, names = [name]): string {
    const { certificate, key } = authority.issue({ commonName: name, usage: 'server', names })
    writeFileSync(path(`${file}.crt`), certificate)
    writeFileSync(path(`${file}.key`), key)
    return `${path(`${file}.crt`)},${path(`${file}.key`)}`
  }

  function greet(options: ConnectionOptions = {}): Promise<Greeting> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false, ...options }, () => {
        const name = String(socket.getPeerCertificate().subject.CN)
        resolve({ name, protocol: socket.getProtocol(), cipher: socket.getCipher().standardName })
        socket.destroy()
      })
      socket.on('error', reject)
    })
  }

  before(async () => {
    writePair('main', 'main.test')
    server = await startServer(
      'cmd/apiserver/main.ts',
      [
        '--storage-backend=memory',
        `--tls-cert-file=${path('main.crt')}`,
        `--tls-private-key-file=${path('main.key')}`,
        `--tls-sni-cert-key=${writePair('common', 'common.test', ['alternative.test', 'exact.test'])}`,
        `--tls-sni-cert-key=${writePair('own', 'own.test')}`,
        `--tls-sni-cert-key=${writePair('named', 'ignored.test')}:*.wild.test,exact.test`,
        '--tls-min-version=VersionTLS12',
        '--tls-cipher-suites=TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
      ],
      folder.path,
    )
  })
  after(async () => {
    assert.equal(await server.stop(), 0)
    folder.remove()
  })

  const shown: readonly [asked: string, name: string][] = [
    ['own.test', 'own.test'],
    ['common.test', 'common.test'],
    ['alternative.test', 'common.test'],
    ['any.wild.test', 'ignored.test'],
    ['exact.test', 'ignored.test'],
    ['ignored.test', 'main.test'],
    ['elsewhere.test', 'main.test'],
  ]
  for (const [servername, name] of shown)
    it(`sends the certificate of ${name} for server name ${servername}`, async () => {
      assert.equal((await greet({ servername })).name, name)
    })

  it('negotiates no older TLS than allowed, and only the named suites', async () => {
    assert.equal((await greet()).protocol, 'TLSv1.3')
    const older = await greet({ maxVersion: 'TLSv1.2' })
    assert.equal(older.protocol, 'TLSv1.2')
    assert.match(older.cipher, /^TLS_ECDHE_(ECDSA|RSA)_WITH_AES_256_GCM_SHA384$/)
    await assert.rejects(
      greet({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256' }),
    )
    await assert.rejects(greet({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' }))
  })

  it('reloads certificates from the same files without a restart, also those by name', async () => {
    writePair('main', 'renewed.test')
    writePair('own', 'own-renewed.test')
    await eventuallyEquals(async () => (await greet()).name, 'renewed.test', 'the new certificate')
    await eventually(async () => (await greet({ servername: 'own.test' })).name !== 'own.test', 'that of the name')
    assert.equal((await greet({ servername: 'own-renewed.test' })).name, 'own-renewed.test')
  })
})
