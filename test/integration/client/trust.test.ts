import assert from 'node:assert/strict'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import { networkErrorText, systemClock } from '../../../lib/base/index.ts'
import { createEndpointClient, createHttpTransport } from '../../../lib/client/index.ts'
import { der } from '../../../lib/pki/der.ts'
import { createBackend } from '../../../lib/proxy/index.ts'
import {
  authorityExtension,
  extension,
  keyPem,
  type Made,
  makeAnyCertificate,
  usageExtension,
} from '../../support/certificates.ts'

const forServers = usageExtension('1.3.6.1.5.5.7.3.1')
const serviceName = 'hooks.test.svc'
const named = (name: string, address: readonly number[]): Buffer =>
  extension('2.5.29.17', false, der.sequence(tagged(0x82, Buffer.from(name)), tagged(0x87, Buffer.from(address))))
const tagged = (tag: number, value: Buffer): Buffer => Buffer.concat([Buffer.of(tag, value.length), value])
const forHere = named(serviceName, [127, 0, 0, 1])
const forElsewhere = named('other.test.svc', [10, 0, 0, 1])
const root = makeAnyCertificate({ subject: ['CN=root'], extensions: [authorityExtension()] })
const middle = makeAnyCertificate({ subject: ['CN=middle'], issuer: root, extensions: [authorityExtension()] })
const signed = (extensions: readonly Buffer[], endMs = Date.now() + 3_600_000): Made =>
  makeAnyCertificate({ subject: ['CN=hook'], issuer: middle, extensions, endMs })
const usual = signed([forServers, forHere])
const otherwiseNamed = signed([forServers, forElsewhere])
const expired = signed([forServers, forHere], Date.now() - 1000)
const forClients = signed([usageExtension(), forHere])

/** The bundle of a client, the certificate that its server shows alone, and why the client refuses it. */
const bundles: readonly (readonly [what: string, bundle: Made, shown: Made, refusal?: RegExp])[] = [
  ['the server’s own certificate', usual, usual],
  ['the authority between alone', middle, usual],
  ['the root alone', root, usual, /certificate signed by unknown authority$/],
  ['another certificate of the authority', otherwiseNamed, usual, /certificate signed by unknown authority$/],
  [
    'the server’s own certificate for another address',
    otherwiseNamed,
    otherwiseNamed,
    /certificate is valid for (10.0.0.1, not 127.0.0.1|other.test.svc, not hooks.test.svc)$/,
  ],
  ['the server’s own certificate after its time', expired, expired, /certificate has expired or is not yet valid$/],
  [
    'the server’s own certificate for clients',
    forClients,
    forClients,
    /certificate specifies an incompatible key usage$/,
  ],
]

/** Each resolves once the server has answered. */
const clients: Readonly<Record<string, (port: number, ca: string) => Promise<unknown>>> = {
  'a webhook’s client': async (port, ca) => {
    const client = createEndpointClient({ clock: systemClock }, { url: `https://127.0.0.1:${port}/`, ca })
    return await client.post('{}').finally(() => client.close())
  },
  'a controller’s client': async (port, ca) => {
    const endpoint = { url: `https://127.0.0.1:${port}`, ca }
    const transport = createHttpTransport({ clock: systemClock }, endpoint, { userAgent: 'test' })
    return await transport.send({ method: 'GET', url: '/' }).finally(() => void transport.close())
  },
  'a proxy’s client': async (port, ca) => {
    const address = async (): Promise<{ host: string; port: number }> => ({ host: '127.0.0.1', port })
    const backend = createBackend({ clock: systemClock, serverName: serviceName, ca, credentials: () => ({}), address })
    const limits = { bytesMax: 1000, signal: AbortSignal.timeout(10_000) }
    return await backend.get('/', {}, limits).finally(() => backend.close())
  },
}

describe('trust in other servers', () => {
  for (const [client, ask] of Object.entries(clients))
    for (const [what, bundle, shown, refusal] of bundles)
      it(`${client} ${refusal === undefined ? 'trusts' : 'refuses'} a server by ${what}`, async () => {
        const server = http2.createSecureServer({ cert: shown.pem, key: keyPem(shown.key), allowHTTP1: true })
        server.on('request', (_request, response) => response.end('{}')).on('tlsClientError', () => {})
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        const { port } = server.address() as AddressInfo
        try {
          const failure = await ask(port, bundle.pem).then(
            () => undefined,
            (error: unknown) => networkErrorText(error),
          )
          if (refusal === undefined) assert.equal(failure, undefined)
          else assert.match(failure ?? 'none', refusal)
        } finally {
          server.close()
        }
      })
})
