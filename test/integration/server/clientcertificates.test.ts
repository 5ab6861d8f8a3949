import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { createCertificateAuthenticator, createRequestHeaderAuthenticator } from '../../../lib/authn/index.ts'
import { silentMetrics, systemClock } from '../../../lib/base/index.ts'
import { createChainVerifier } from '../../../lib/pki/index.ts'
import type { CertificateProvider, Server, TlsMaterial } from '../../../lib/server/index.ts'
import {
  authorityExtension,
  extension,
  keyPem,
  type Made,
  makeAnyCertificate,
  newKey,
  permittedNames,
  usageExtension,
} from '../../support/certificates.ts'
import { closed, on2, run, session2, testCertificate } from './support.ts'

const path = '/api/v1/namespaces/default/pods/web'
const authority = (name: string): Made =>
  makeAnyCertificate({ subject: [`CN=${name}`], extensions: [authorityExtension()] })
const client = (issuer: Made, subject: string[], extensions = [usageExtension()], key = newKey()): Made =>
  makeAnyCertificate({ subject, issuer, extensions, key })
const below = (issuer: Made, name: string, extensions = [authorityExtension()]): Made =>
  makeAnyCertificate({ subject: [`CN=${name}`], issuer, extensions })

/** Certificates that a test replaces while the server runs. */
function changeable(first: TlsMaterial): CertificateProvider & { replace(next: Partial<TlsMaterial>): void } {
  let current = first
  const listeners = new Set<(material: TlsMaterial) => void>()
  return {
    current: () => current,
    onChange(changed) {
      listeners.add(changed)
      return { close: () => void listeners.delete(changed) }
    },
    replace(next) {
      current = { ...current, ...next }
      for (const listener of listeners) listener(current)
    },
  }
}

describe('client certificates', () => {
  const root = authority('root')
  const proxies = authority('proxies')
  const servers: Server[] = []
  const sockets: TLSSocket[] = []
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await Promise.all(servers.splice(0).map((server) => server.close()))
  })

  /** A server that answers who the client is by its certificate, and by headers of a front proxy. */
  async function listen(material: Partial<TlsMaterial> = {}) {
    const services = { clock: systemClock, metrics: silentMetrics }
    const certificates = changeable({
      serving: testCertificate(),
      named: [],
      clientAuthorities: root.pem,
      proxyAuthorities: proxies.pem,
      ...material,
    })
    const byCertificate = () =>
      createCertificateAuthenticator(
        services,
        createChainVerifier(systemClock, certificates.current().clientAuthorities),
      )
    const byProxy = () =>
      createRequestHeaderAuthenticator(
        services,
        createChainVerifier(systemClock, certificates.current().proxyAuthorities ?? ''),
        {
          allowedNames: [],
          usernameHeaders: ['x-remote-user'],
          uidHeaders: [],
          groupHeaders: [],
          extraPrefixes: [],
        },
      )
    let asked = [byProxy(), byCertificate()]
    certificates.onChange(() => void (asked = [byProxy(), byCertificate()]))
    const { server, port } = await run(
      async (call) => {
        let text = 'nobody'
        for (const authenticator of asked) {
          const result = await authenticator.authenticate(call)
          if (result.outcome === 'none') continue
          text = result.outcome === 'invalid' ? result.reason : `${result.user.name} [${result.user.groups.join(' ')}]`
          if (result.outcome === 'authenticated') break
        }
        await call.responder.send(200, {}, Buffer.from(text))
      },
      {},
      { certificates },
    )
    servers.push(server)
    return { port, certificates }
  }

  async function open(port: number, leaf: Made, sent: readonly Made[] = [], options: ConnectionOptions = {}) {
    const shown = { key: keyPem(leaf.key), cert: [leaf, ...sent].map(({ pem }) => pem).join('') }
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...shown, ...options })
    sockets.push(socket)
    socket.on('error', () => {})
    await once(socket, 'secureConnect')
    return socket
  }

  async function ask(socket: TLSSocket, header = ''): Promise<string> {
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n${header}\r\n`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    return answer.toString().split('\r\n\r\n')[1] ?? ''
  }
  const whoIs = async (port: number, leaf: Made, sent: readonly Made[] = [], options: ConnectionOptions = {}) =>
    ask(await open(port, leaf, sent, options))

  const tenants = below(root, 'tenant-a', [authorityExtension(), permittedNames(['O=tenant-a'])])
  const short = below(root, 'short', [authorityExtension(0)])
  const lower = below(short, 'lower')
  const strange = extension('1.2.3.4', true, Buffer.of(5, 0))
  const odd = below(root, 'odd', [authorityExtension(), strange])
  const middle = below(root, 'middle')
  const notAuthority = client(root, ['CN=jane'])
  const expired = makeAnyCertificate({ subject: ['CN=old'], issuer: root, endMs: Date.now() - 1000 })

  const good: [string, Made, Made[]][] = [
    ['signed by the authority', client(root, ['O=dev', 'CN=jane']), []],
    ['with an intermediate authority that the client sends', client(middle, ['O=dev', 'CN=jane']), [middle]],
    [
      'with certificates that have nothing to do with it',
      client(root, ['O=dev', 'CN=jane']),
      [authority('x'), proxies],
    ],
    [
      'within the names that its authority may give',
      makeAnyCertificate({ subject: ['O=tenant-a', 'CN=jane'], issuer: tenants, extensions: [usageExtension()] }),
      [tenants],
    ],
  ]
  for (const [what, leaf, sent] of good)
    it(`are accepted: one ${what}`, async () => {
      assert.notEqual(opensslRefuses(root, leaf, sent), true)
      const { port } = await listen()
      assert.match(await whoIs(port, leaf, sent), /^jane \[(dev|tenant-a)\]$/)
    })

  const masters = ['O=system:masters', 'CN=admin']
  const bad: [string, Made, Made[]][] = [
    ['more authorities below one than its path length allows', client(lower, masters), [lower, short]],
    ['a name outside the critical name constraints of its authority', client(tenants, masters), [tenants]],
    ['an authority with a critical extension that is not known', client(odd, masters), [odd]],
    ['a critical extension that is not known', client(root, masters, [usageExtension(), strange]), []],
    ['an issuer that is no authority', client(notAuthority, masters), [notAuthority]],
    ['an authority of the same name', client(authority('root'), masters), []],
    ["a server's certificate", client(root, masters, [usageExtension('1.3.6.1.5.5.7.3.1')]), []],
    ['a certificate that has expired', expired, []],
    ['a certificate that signs itself', makeAnyCertificate({ subject: masters, extensions: [usageExtension()] }), []],
  ]
  for (const [what, leaf, sent] of bad)
    it(`are refused: ${what}`, async () => {
      assert.notEqual(opensslRefuses(root, leaf, sent), false)
      const { port } = await listen()
      assert.match(await whoIs(port, leaf, sent), /^the certificate /)
    })

  it('are refused without a common name, and with several uids', async () => {
    const { port } = await listen()
    assert.equal(await whoIs(port, client(root, ['O=dev'])), 'the certificate has no common name')
    const uid = '1.3.6.1.4.1.57683.2'
    assert.equal(
      await whoIs(port, client(root, ['CN=jane', `${uid}=1`, `${uid}=2`])),
      'the certificate has several uids',
    )
  })

  it('are accepted over an intermediate authority alone, whether or not the client sends a server name', async () => {
    const { port } = await listen({ clientAuthorities: middle.pem })
    const leaf = client(middle, ['CN=jane'])
    assert.equal(await whoIs(port, leaf), 'jane []')
    assert.equal(await whoIs(port, leaf, [], { servername: 'localhost' }), 'jane []')
    assert.equal(await whoIs(port, leaf, [], { maxVersion: 'TLSv1.2' }), 'jane []')
  })

  it('are accepted over HTTP/2', async () => {
    const { port } = await listen()
    const leaf = client(root, ['CN=jane'])
    const session = session2(port, { cert: leaf.pem, key: keyPem(leaf.key) })
    assert.equal((await on2(session, path)).body, 'jane []')
    session.destroy()
  })

  it('certificates of front proxies are not those of clients, nor the other way round', async () => {
    const { port } = await listen()
    const header = 'x-remote-user: boss\r\n'
    const [jane, proxy] = [client(root, ['CN=jane']), client(proxies, ['CN=proxy'])]
    assert.equal(await ask(await open(port, proxy), header), 'boss []')
    assert.equal(await ask(await open(port, proxy)), 'the certificate is signed by an unknown authority')
    assert.equal(await ask(await open(port, jane), header), 'jane []')
    for (const extra of [[proxies], [root, proxies], [authority('proxies')]])
      assert.equal(await ask(await open(port, jane, extra), header), 'jane []')
  })

  it('certificates of authorities with one name are distinguished by their keys', async () => {
    const [one, other] = [authority('same'), authority('same')]
    const { port } = await listen({ clientAuthorities: one.pem, proxyAuthorities: other.pem })
    const header = 'x-remote-user: boss\r\n'
    // Which of two equal names OpenSSL takes is its own choice, but it never takes the wrong key for the right one.
    assert.notEqual(await ask(await open(port, client(one, ['CN=jane']), [other]), header), 'boss []')
    assert.notEqual(await ask(await open(port, client(other, ['CN=proxy']), [one])), 'proxy []')
  })

  it('are rejected once their authority is removed, on open connections too', async () => {
    const { port, certificates } = await listen()
    const socket = await open(port, client(root, ['CN=jane']))
    assert.equal(await ask(socket), 'jane []')
    const next = authority('root')
    certificates.replace({ clientAuthorities: next.pem })
    assert.equal(await ask(socket), 'the certificate is signed by an unknown authority')
    assert.equal(await whoIs(port, client(next, ['CN=john'])), 'john []')
    assert.match(await whoIs(port, client(root, ['CN=jane'])), /^the certificate/)
    certificates.replace({ clientAuthorities: `${next.pem}${root.pem}` })
    assert.equal(await ask(socket), 'jane []')
  })

  it('are requested again on every connection: no session is resumed', async () => {
    const { port } = await listen()
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      let session: Buffer | undefined
      const first = await open(port, client(root, ['CN=jane']), [], { maxVersion })
      first.on('session', (given) => (session = given))
      await ask(first)
      session ??= first.getSession()
      const second = await open(port, client(root, ['CN=jane']), [], { maxVersion, ...(session && { session }) })
      assert.equal(second.isSessionReused(), false, maxVersion)
    }
  })

  it('certificates of seven authorities of one name and key do not block the event loop', async function () {
    this.timeout(20_000)
    const { port } = await listen()
    for (const curve of ['P-256', 'P-521']) {
      const key = newKey(curve)
      const same = Array.from({ length: 7 }, () =>
        makeAnyCertificate({ subject: ['CN=a'], key, extensions: [authorityExtension()] }),
      )
      const [first] = same
      assert.ok(first)
      const leaf = client(first, ['CN=jane'], [usageExtension()], key)
      const before = process.cpuUsage()
      const socket = await open(port, leaf, same)
      assert.match(await ask(socket), /^the certificate/)
      const { user } = process.cpuUsage(before)
      assert.ok(user < 100_000, `${curve}: ${user} µs`)
    }
  })

  it('certificates of more than sixteen in a chain are refused', async () => {
    const { port } = await listen()
    const many = Array.from({ length: 17 }, (_, index) => authority(`a${index}`))
    assert.equal(await whoIs(port, client(root, ['CN=jane']), many), 'the certificate chain is too long')
  })

  it('are not requested where there is no authority', async () => {
    const { server, port } = await run(
      (call) => call.responder.send(200, {}, Buffer.from(String(call.clientCertificates()))),
      {},
    )
    servers.push(server)
    const socket = await open(port, client(root, ['CN=jane']))
    assert.equal(await ask(socket), 'undefined')
    socket.destroy()
    await closed(socket)
  })
})

/** Whether the `openssl` program refuses the chain too; undefined where there is none. */
function opensslRefuses(root: Made, leaf: Made, sent: readonly Made[]): boolean | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'pilothouse-chain-'))
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const trusted = file('root.pem', root.pem)
  const others = file('others.pem', sent.map(({ pem }) => pem).join('') || root.pem)
  const own = file('leaf.pem', leaf.pem)
  try {
    const options = ['-CAfile', trusted, '-untrusted', others, '-purpose', 'sslclient', '-partial_chain']
    execFileSync('openssl', ['verify', ...options, own], { stdio: 'pipe' })
    return false
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    return true
  } finally {
    rmSync(folder, { recursive: true })
  }
}
