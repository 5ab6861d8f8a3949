import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'

describe('--egress-selector-config-file', () => {
  const folder = scratchFolder('egress')
  after(() => folder.remove())
  let files = 0
  const flagOf = (text: string): string => {
    const file = join(folder.path, `egress-${files++}.yaml`)
    writeFileSync(file, text)
    return `--egress-selector-config-file=${file}`
  }
  const selecting = (...egressSelections: readonly object[]): string =>
    flagOf(
      JSON.stringify({
        apiVersion: 'apiserver.k8s.io/v1beta1',
        kind: 'EgressSelectorConfiguration',
        egressSelections,
      }),
    )
  const direct = { proxyProtocol: 'Direct' }
  const socket = { transport: { uds: { udsName: '/run/proxy.sock' } } }

  it('may configure direct connections', async () => {
    const selections = ['cluster', 'controlplane', 'etcd'].map((name) => ({ name, connection: direct }))
    const server = await startComposed(folder.path, [selecting(...selections)])
    await server.stop()
  })

  const invalid = 'failed to validate egress selector configuration: service.connection'
  const connect = (transport: object): object => ({ proxyProtocol: 'HTTPConnect', transport })
  const tls = { clientCert: '/none/client.crt', clientKey: '/none/client.key' }
  const unusable: readonly [string, object, string][] = [
    [
      'CONNECT without a transport',
      { proxyProtocol: 'HTTPConnect' },
      'transport: Required value: transport must be set for HTTPConnect',
    ],
    ['CONNECT by an empty transport', connect({}), 'tcp: Required value: One of TCP or UDS must be set'],
    [
      'CONNECT both ways',
      connect({ tcp: { url: 'http://a' }, uds: { udsName: '/b' } }),
      'tcp: Invalid value: {"url":"http://a"}: TCP and UDS cannot both be set',
    ],
    [
      'a socket without a path',
      connect({ uds: {} }),
      'udsName: Invalid value: "nil": must be present for UDS connections',
    ],
    [
      'GRPC over TCP',
      { proxyProtocol: 'GRPC', transport: { tcp: { url: 'https://a' } } },
      'uds: Required value: UDS must be set with GRPC',
    ],
    [
      'another scheme',
      connect({ tcp: { url: 'ftp://a' } }),
      'url: Invalid value: "ftp://a": supported connection protocols are http:// and https://',
    ],
    [
      'certificates for http',
      connect({ tcp: { url: 'http://a', tlsConfig: tls } }),
      'tlsConfig: Invalid value: "nil": config must not be present when using HTTP',
    ],
    [
      'https without certificates',
      connect({ tcp: { url: 'https://a' } }),
      'tlsConfig: Required value: TLSConfig must be present when using HTTPS',
    ],
    [
      'authorities that are not there',
      connect({
        tcp: {
          url: 'https://a',
          tlsConfig: { caBundle: '/none/ca.crt', clientCert: '/dev/null', clientKey: '/dev/null' },
        },
      }),
      'tlsConfig.caBundle: Invalid value: "/none/ca.crt": TLS config ca bundle does not exist',
    ],
    [
      'a certificate that is not there',
      connect({ tcp: { url: 'https://a', tlsConfig: { ...tls, clientKey: '/dev/null' } } }),
      'tlsConfig.clientCert: Invalid value: "/none/client.crt": TLS client cert does not exist',
    ],
    [
      'a key that is not named',
      connect({ tcp: { url: 'https://a', tlsConfig: { clientCert: '/dev/null' } } }),
      'tlsConfig.clientKey: Invalid value: "nil": Using TLS requires requires clientKey',
    ],
  ]
  const refused: readonly [string, () => string, string | RegExp][] = [
    [
      'a file that is not there',
      () => `--egress-selector-config-file=${folder.path}/none`,
      `egress-selector-config-file ${folder.path}/none does not exist`,
    ],
    ['an empty file', () => flagOf(''), /^failed to read egress selector config: /],
    [
      'a version that is gone',
      () => flagOf('apiVersion: apiserver.k8s.io/v1alpha1\nkind: EgressSelectorConfiguration'),
      /^failed to read egress selector config: /,
    ],
    [
      'an unknown field',
      () => selecting({ name: 'etcd', connection: direct, proxy: 'x' }),
      /unknown field "egressSelections\[0\].proxy"/,
    ],
    [
      'a protocol that is none',
      () => selecting({ name: 'etcd', connection: { proxyProtocol: 'http' } }),
      `${invalid}.protocol: Unsupported value: "http": supported values: "Direct", "HTTPConnect", "GRPC"`,
    ],
    [
      'a direct connection through a socket',
      () => selecting({ name: 'etcd', connection: { ...direct, ...socket } }),
      `${invalid}.transport: Invalid value: "direct": config must be absent for direct connect`,
    ],
    [
      'a proxy without a transport',
      () => selecting({ name: 'etcd', connection: { proxyProtocol: 'GRPC' } }),
      `${invalid}.transport: Required value: transport must be set for GRPC`,
    ],
    [
      'a destination that there is none of',
      () => selecting({ name: 'nodes', connection: direct }),
      `${invalid}: Unsupported value: "nodes": supported values: "cluster", "controlplane", "etcd"`,
    ],
    [
      'two ways to one destination',
      () => selecting({ name: 'etcd', connection: direct }, { name: 'Etcd', connection: direct }),
      `${invalid}[1]: Duplicate value: "etcd"`,
    ],
    ...unusable.map(([what, connection, problem]): [string, () => string, string] => [
      what,
      () => selecting({ name: 'cluster', connection }),
      `${invalid}.${problem}`,
    ]),
    [
      'a key that is none',
      () => {
        const [key, cert] = [join(folder.path, 'client.key'), join(folder.path, 'client.crt')]
        writeFileSync(key, 'no key')
        writeFileSync(cert, 'no certificate')
        const tlsConfig = { clientKey: key, clientCert: cert }
        const transport = { tcp: { url: 'https://proxy:1', tlsConfig } }
        return selecting({ name: 'cluster', connection: { proxyProtocol: 'HTTPConnect', transport } })
      },
      /^failed to setup egress selector: /,
    ],
    [
      'several mistakes',
      () => selecting({ name: 'nodes', connection: { proxyProtocol: 'GRPC' } }),
      /^failed to validate egress selector configuration: \[service\.connection\.transport: .*, service\.connection: .*\]$/,
    ],
  ]
  for (const [what, flag, line] of refused)
    it(`fails the start with ${what}`, async () => {
      await assert.rejects(startComposed(folder.path, [flag()]), ({ name, message }: Error) => {
        const prefix = '--egress-selector-config-file: '
        assert.deepEqual([name, message.slice(0, prefix.length)], ['StartError', prefix])
        if (typeof line === 'string') assert.equal(message.slice(prefix.length), line)
        else assert.match(message.slice(prefix.length), line)
        assert.ok(!message.includes('\n'))
        return true
      })
    })
})
