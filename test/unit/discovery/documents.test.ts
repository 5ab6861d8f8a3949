import assert from 'node:assert/strict'
import { createDiscovery } from '../../../lib/discovery/index.ts'
import { StatusError } from '../../../lib/object/index.ts'
import { type Call, parseQuery } from '../../../lib/request/index.ts'
import type { ServedGroup } from '../../../lib/schema/index.ts'

const verbs = ['create', 'delete', 'get', 'list']
const groups: ServedGroup[] = [
  {
    name: '',
    versions: [
      {
        version: 'v1',
        resources: [
          {
            plural: 'pods',
            table: {
              kind: 'Pod',
              singular: 'pod',
              namespaced: true,
              shortNames: ['po'],
              verbs,
              storageVersionHash: 'abc=',
              subresources: {
                status: { kind: 'Pod', verbs: ['get'] },
                eviction: { kind: 'Eviction', groupVersion: 'policy/v1', verbs: ['create'] },
              },
            },
          },
        ],
      },
    ],
  },
  {
    name: 'apps',
    versions: ['v1', 'v1beta1'].map((version) => ({
      version,
      resources: [
        { plural: 'deployments', table: { kind: 'Deployment', singular: 'deployment', namespaced: true, verbs } },
      ],
    })),
  },
]

interface Sent {
  status: number
  headers: Readonly<Record<string, string | number>>
  /** Parsed, unless it is plain text. */
  body: Record<string, unknown>
  text: string
}

function ask(path: string, headers: Record<string, string> = {}, method = 'GET', cbor = false): Sent {
  const discovery = createDiscovery(
    { groups: () => groups, encode: (_document, _kind, mediaType) => Buffer.from(mediaType) },
    { serverAddress: '10.0.0.1:6443', cbor },
  )
  let sent: Sent | undefined
  const responder = {
    send(status: number, sentHeaders: Sent['headers'], body?: Uint8Array) {
      const text = body ? Buffer.from(body).toString() : ''
      sent = { status, headers: sentHeaders, body: text.startsWith('{') ? JSON.parse(text) : {}, text }
    },
  }
  // Only what discovery reads of a call.
  void discovery.handle({ method, path, headers, query: parseQuery(path), responder } as Call)
  assert(sent)
  return sent
}

const aggregated = (version: string): string =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`

describe('discovery', () => {
  it('names the versions of the core group and an address', () => {
    const { body } = ask('/api')
    assert.deepEqual(body['versions'], ['v1'])
    assert.deepEqual(body['serverAddressByClientCIDRs'], [{ clientCIDR: '0.0.0.0/0', serverAddress: '10.0.0.1:6443' }])
  })

  it('lists the other groups with their preferred versions', () => {
    assert.deepEqual(ask('/apis').body['groups'], [
      {
        name: 'apps',
        versions: [
          { groupVersion: 'apps/v1', version: 'v1' },
          { groupVersion: 'apps/v1beta1', version: 'v1beta1' },
        ],
        preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
      },
    ])
  })

  it('lists resources and subresources of a version in order, with the home of a foreign kind', () => {
    assert.deepEqual(ask('/api/v1').body['resources'], [
      {
        name: 'pods',
        singularName: 'pod',
        namespaced: true,
        kind: 'Pod',
        verbs,
        shortNames: ['po'],
        storageVersionHash: 'abc=',
      },
      {
        name: 'pods/eviction',
        singularName: '',
        namespaced: true,
        group: 'policy',
        version: 'v1',
        kind: 'Eviction',
        verbs: ['create'],
      },
      { name: 'pods/status', singularName: '', namespaced: true, kind: 'Pod', verbs: ['get'] },
    ])
  })

  for (const version of ['v2', 'v2beta1'])
    it(`answers everything at once as ${version} when that is accepted first`, () => {
      const { body, headers } = ask('/apis', { accept: `${aggregated(version)},application/json` })
      assert.equal(body['apiVersion'], `apidiscovery.k8s.io/${version}`)
      assert.equal(headers['content-type'], aggregated(version))
      assert.match(String(headers['etag']), /^"[0-9A-F]{64}"$/)
    })

  it('answers 304 to a client that has the document', () => {
    const { headers } = ask('/apis', { accept: aggregated('v2') })
    const again = ask('/apis', { accept: aggregated('v2'), 'if-none-match': String(headers['etag']) })
    assert.equal(again.status, 304)
  })

  it('speaks CBOR where that is on', () => {
    const accept = 'application/cbor'
    for (const path of ['/api', '/apis', '/apis/apps', '/apis/apps/v1']) {
      const { headers, text } = ask(path, { accept }, 'GET', true)
      assert.deepEqual([headers['content-type'], text], [accept, accept])
      assert.throws(() => ask(path, { accept }), { code: 406 })
    }
    const list = `${accept};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`
    assert.equal(ask('/apis', { accept: list }, 'GET', true).headers['content-type'], list)
  })

  for (const path of ['/apis/nothing', '/apis/nothing/v1', '/apis/nothing/'])
    it(`answers plain text to ${path}, of a group that is not served`, () => {
      const { status, headers, text } = ask(path)
      assert.deepEqual(
        [status, headers['content-type'], text],
        [404, 'text/plain; charset=utf-8', '404 page not found\n'],
      )
    })

  it('is a line, or indented for people', () => {
    assert.match(ask('/apis').text, /^\{"kind":.*\}\n$/)
    assert.match(ask('/apis', { 'user-agent': 'curl/8.0' }).text, /^\{\n {2}"kind": [^]*\n\}$/)
  })

  for (const [path, headers, method, code] of [
    ['/apis/apps/v9', {}, 'GET', 404],
    ['/api/v9', {}, 'GET', 404],
    ['/apis', { accept: 'image/png' }, 'GET', 406],
    ['/api', {}, 'POST', 405],
  ] as const)
    it(`answers ${code} to ${method} ${path} ${JSON.stringify(headers)}`, () => {
      assert.throws(
        () => ask(path, headers, method),
        (error) => error instanceof StatusError && error.code === code,
      )
    })
})
