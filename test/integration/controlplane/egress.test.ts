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
  const refused: readonly [string, () => string, string | RegExp][] = [
    [
      'a file that is not there',
      () => `--egress-selector-config-file=${folder.path}/none`,
      `unable to read egress selector configuration from "${folder.path}/none": no such file or folder`,
    ],
    ['an empty file', () => flagOf(''), /^unable to decode egress selector configuration data: /],
    [
      'a version that is gone',
      () => flagOf('apiVersion: apiserver.k8s.io/v1alpha1\nkind: EgressSelectorConfiguration'),
      /^unable to decode egress selector configuration data: /,
    ],
    [
      'an unknown field',
      () => selecting({ name: 'etcd', connection: direct, proxy: 'x' }),
      /unknown field "egressSelections\[0\].proxy"/,
    ],
    [
      'a protocol that is none',
      () => selecting({ name: 'etcd', connection: { proxyProtocol: 'http' } }),
      `${invalid}.protocol: Unsupported value: "http": supported values: "Direct", "GRPC", "HTTPConnect"`,
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
    ...['HTTPConnect', 'GRPC'].map((proxyProtocol): [string, () => string, string] => [
      `a proxy by ${proxyProtocol}, past which no connection would go`,
      () => selecting({ name: 'cluster', connection: { proxyProtocol, ...socket } }),
      `connections to "cluster" are to go by ${proxyProtocol}: this server makes direct connections only`,
    ]),
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
