import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { createFakeClock, type Logger, silentLogger, silentMetrics, systemClock } from '../../../lib/base/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import type { Call } from '../../../lib/request/index.ts'
import {
  cipherList,
  createServer,
  fixedCertificates,
  type ListenerTlsOptions,
  type Server,
  type TlsMaterial,
  watchCertificateFiles,
} from '../../../lib/server/index.ts'
import { closed, dependenciesFor, get1, makeCertificate, on2, run, session2, testCertificate } from './support.ts'

const pod = '/api/v1/namespaces/default/pods/web'

async function shaken(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options })
  await once(socket, 'secureConnect')
  return socket
}

function commonName(socket: TLSSocket): string {
  const name = socket.getPeerCertificate().subject.CN
  socket.destroy()
  return String(name)
}

describe('TLS', () => {
  const servers: Server[] = []
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()))
  })
  async function listen(material: Partial<TlsMaterial>, tls: ListenerTlsOptions = {}, http2 = true): Promise<number> {
    const certificates = fixedCertificates({
      serving: testCertificate(),
      named: [],
      clientAuthorities: '',
      ...material,
    })
    const server = createServer(dependenciesFor({ certificates }), { host: '127.0.0.1', port: 0, http2, tls })
    servers.push(server)
    return (await server.start()).port
  }

  // RFC 9113, section 9.2.1.
  it('HTTP/2: ends a connection whose client wants to renegotiate', async () => {
    const socket = await shaken(await listen({}), { ALPNProtocols: ['h2'], maxVersion: 'TLSv1.2' })
    const end = closed(socket.resume())
    let isNegotiated = false
    socket.renegotiate({}, (error) => (isNegotiated = error === null))
    await end
    assert.ok(!isNegotiated)
  })

  it('negotiates HTTP/2, HTTP/1.1, or HTTP/1.1 alone where HTTP/2 is off', async () => {
    const cases: [boolean, string[] | undefined, string | false][] = [
      [true, ['h2', 'http/1.1'], 'h2'],
      [true, ['http/1.1'], 'http/1.1'],
      [true, undefined, false],
      [false, ['h2', 'http/1.1'], 'http/1.1'],
    ]
    for (const [http2, ALPNProtocols, expected] of cases) {
      const port = await listen({}, {}, http2)
      const socket = await shaken(port, ALPNProtocols ? { ALPNProtocols } : {})
      assert.equal(socket.alpnProtocol, expected)
      socket.destroy()
      assert.equal((await get1(port, pod)).status, 200)
    }
  })

  it('picks the certificate by server name, exact before wildcard, else the default', async () => {
    const exact = { ...makeCertificate('exact'), names: ['api.example.com'] }
    const wild = { ...makeCertificate('wild'), names: ['*.example.com'] }
    const port = await listen({ named: [exact, wild] })
    for (const [servername, expected] of [
      ['api.example.com', 'exact'],
      ['API.Example.com', 'exact'],
      ['other.example.com', 'wild'],
      ['deep.other.example.com', 'localhost'],
      ['nowhere.org', 'localhost'],
    ] as const) {
      assert.equal(commonName(await shaken(port, { servername })), expected, servername)
    }
    assert.equal(commonName(await shaken(port)), 'localhost')
  })

  for (const http2 of [true, false])
    it(`picks it by the address where no server name is sent, over ${http2 ? 'HTTP/2' : 'HTTP/1.1'}`, async () => {
      const here = { ...makeCertificate('here'), names: ['127.0.0.1'] }
      const named = { ...makeCertificate('named'), names: ['127.0.0.2', '127.0.0.1', 'here.org'] }
      const port = await listen({ named: [here, named] }, {}, http2)
      for (const [servername, expected] of [
        [undefined, 'here'],
        ['here.org', 'named'],
        ['nowhere.org', 'localhost'],
        [undefined, 'here'],
      ] as const)
        assert.equal(commonName(await shaken(port, servername ? { servername } : {})), expected, String(servername))
      const elsewhere = await listen({ named: [{ ...named, names: ['127.0.0.2'] }] }, {}, http2)
      assert.equal(commonName(await shaken(elsewhere)), 'localhost')
    })

  it('shows the client certificate to the handlers, read once a connection, over both protocols', async () => {
    const client = makeCertificate('alice')
    const seen: ReturnType<Call['clientCertificates']>[] = []
    const { server, port } = await run(
      (call) => {
        seen.push(call.clientCertificates())
        return call.responder.send(200, {})
      },
      {},
      {
        certificates: fixedCertificates({
          serving: testCertificate(),
          named: [],
          clientAuthorities: client.cert,
        }),
      },
    )
    servers.push(server)
    const session = session2(port, client)
    await on2(session, pod)
    await on2(session, pod)
    session.destroy()
    const socket = await shaken(port, { ...client, ALPNProtocols: ['http/1.1'] })
    socket.write(`GET ${pod} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    socket.resume()
    await closed(socket)
    await get1(port, pod)
    assert.equal(seen.length, 4)
    assert.equal(seen[0], seen[1])
    for (const presented of seen.slice(0, 3)) {
      assert.equal(presented?.refusal, undefined)
      assert.deepEqual(
        presented?.chain.map((der) => new X509Certificate(der).subject),
        ['CN=alice'],
      )
    }
    assert.equal(seen[3], undefined)
  })

  it('enforces the minimum version and the cipher suites of the flags', async () => {
    const port = await listen({}, { minVersion: 'TLSv1.3' })
    await assert.rejects(shaken(port, { maxVersion: 'TLSv1.2' }))
    const ciphers = cipherList(['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'])
    const chosen = await listen({}, { ciphers })
    const socket = await shaken(chosen, { maxVersion: 'TLSv1.2' })
    assert.equal(socket.getCipher().name, 'ECDHE-ECDSA-AES256-GCM-SHA384')
    socket.destroy()
    await assert.rejects(shaken(chosen, { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }))
  })

  it('speaks no weak suite, and nothing older than TLS 1.2, by default', async () => {
    const usual = await listen({})
    const weak = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA256' } as const
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' } as const
    await assert.rejects(shaken(usual, weak))
    await assert.rejects(shaken(usual, old))
    const named = await listen({}, { ciphers: cipherList(['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256']) })
    ;(await shaken(named, weak)).destroy()
    const lenient = await listen({}, { minVersion: 'TLSv1', ciphers: cipherList([], 'TLSv1') })
    const socket = await shaken(lenient, old)
    assert.equal(socket.getProtocol(), 'TLSv1')
    socket.destroy()
  })

  it('reloads certificate files without a restart, and never half of a pair', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pilothouse-tls-'))
    const [certFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')]
    const write = (pair: { cert?: string; key?: string }): void => {
      if (pair.cert !== undefined) writeFileSync(certFile, pair.cert)
      if (pair.key !== undefined) writeFileSync(keyFile, pair.key)
    }
    write(makeCertificate('first'))
    let failures = 0
    const log: Logger = { ...silentLogger, error: () => void failures++ }
    const certificates = await watchCertificateFiles(
      { clock: createFakeClock(Date.now()), log, metrics: silentMetrics },
      { certFile, keyFile },
    )
    const server = createServer(dependenciesFor({ certificates }), { host: '127.0.0.1', port: 0 })
    servers.push(server)
    const { port } = await server.start()
    const names = ['localhost', undefined]
    for (const servername of names) {
      assert.equal(commonName(await shaken(port, servername ? { servername } : {})), 'first')
    }
    const kept = await shaken(port, { ALPNProtocols: ['http/1.1'] })
    const second = makeCertificate('second-name')
    write({ cert: second.cert })
    await certificates.check()
    assert.equal(failures, 1)
    assert.equal(commonName(await shaken(port)), 'first')
    write({ key: second.key })
    await certificates.check()
    for (const servername of names) {
      assert.equal(commonName(await shaken(port, servername ? { servername } : {})), 'second-name')
    }
    kept.write(`GET ${pod} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    const [chunk] = (await once(kept, 'data')) as [Buffer]
    assert.match(chunk.toString(), /^HTTP\/1.1 200/)
    kept.destroy()
    await certificates.close()
    rmSync(folder, { recursive: true })
  })

  it('keeps one set of authorities for TLS and for authentication when a bundle is bad, and logs it once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pilothouse-tls-'))
    const [certFile, keyFile, caFile] = ['tls.crt', 'tls.key', 'ca.crt'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    const { cert, key } = makeCertificate('first')
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
    writeFileSync(certFile, cert)
    writeFileSync(keyFile, key)
    writeFileSync(caFile, cert)
    const failures: string[] = []
    const log: Logger = { ...silentLogger, error: (_message, fields) => void failures.push(String(fields?.['reason'])) }
    const metrics = createMetrics()
    const certificates = await watchCertificateFiles(
      { clock: createFakeClock(Date.now()), log, metrics },
      { certFile, keyFile, clientAuthorityFile: caFile, proxyAuthorityFile: caFile },
    )
    const told: TlsMaterial[] = []
    certificates.onChange((material) => told.push(material))
    for (const bad of [`${makeCertificate('other').cert}${broken}`, '', 'rubbish']) {
      writeFileSync(caFile, bad)
      for (let looks = 0; looks < 3; looks++) await certificates.check()
    }
    assert.equal(certificates.current().clientAuthorities, cert)
    assert.equal(certificates.current().proxyAuthorities, cert)
    assert.deepEqual(told, [])
    assert.deepEqual(
      failures.map((reason) => reason.replace(folder, '')),
      [
        "/ca.crt: certificate 2 of the bundle can't be read",
        '/ca.crt: the bundle of certificate authorities holds no certificate',
        '/ca.crt: the bundle of certificate authorities holds no certificate',
      ],
    )
    const { body } = await metrics.exposition(metrics.formatFor(undefined))
    assert.match(body, /^apiserver_serving_certificates_automatic_reloads_total\{status="failure"\} 3$/m)
    await certificates.close()
    rmSync(folder, { recursive: true })
  })

  it('rejects files that do not belong together at the start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pilothouse-tls-'))
    const [certFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')]
    writeFileSync(certFile, makeCertificate('one').cert)
    writeFileSync(keyFile, makeCertificate('two').key)
    await assert.rejects(
      watchCertificateFiles({ clock: systemClock, log: silentLogger, metrics: silentMetrics }, { certFile, keyFile }),
      /does not match certificate/,
    )
    rmSync(folder, { recursive: true })
  })
})
