import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { adminToken, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { ask } from '../../support/plane.ts'

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const admission = '/apis/admissionregistration.k8s.io/v1'
const sorted = 'self.items.sort() == self.items'
const matchConstraints = {
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
}

function definition(plural: string, rule: string, more: object = {}): object {
  const items = { type: 'array', maxItems: 10, items: { type: 'integer' } }
  const schema = {
    type: 'object',
    properties: { items, ...more },
    required: ['items'],
    'x-kubernetes-validations': [{ rule }],
  }
  const kind = plural[0]?.toUpperCase() + plural.slice(1)
  return {
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind, singular: plural, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  }
}

/** By place, where an object goes and what it is. */
const places: Readonly<Record<string, readonly [string, (name: string, test: string) => object]>> = {
  'rules of schemas': [crds, (name, test) => definition(name, test)],
  policies: [
    `${admission}/validatingadmissionpolicies`,
    (name, test) => ({
      metadata: { name },
      spec: {
        matchConstraints,
        variables: [{ name: 'list', expression: '[2, 1]' }],
        validations: [{ expression: test.replaceAll('self.items', 'variables.list') }],
      },
    }),
  ],
  'conditions of webhooks': [
    `${admission}/validatingwebhookconfigurations`,
    (name, test) => ({
      metadata: { name },
      webhooks: [
        {
          name: 'a.example.com',
          clientConfig: { url: 'https://127.0.0.1:1/' },
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          matchConditions: [{ name: 'a', expression: test.replaceAll('self.items', '[2, 1]') }],
        },
      ],
    }),
  ],
  'selectors of devices': [
    '/apis/resource.k8s.io/v1/deviceclasses',
    (name, test) => ({
      metadata: { name },
      spec: { selectors: [{ cel: { expression: test.replaceAll('self.items', '[2, 1]') } }] },
    }),
  ],
}

describe('new expressions use what the release before the emulated one knows', function () {
  this.timeout(60_000)
  const folder = scratchFolder('newexpressions')
  let server: Apiserver
  const call = (path: string, body: object, method = 'POST') =>
    ask(server.url, path, {
      method,
      token: adminToken,
      body,
      ...(method === 'PATCH' && { headers: { 'content-type': 'application/merge-patch+json' } }),
    })
  const emulating = async (release: string) => {
    server = await startComposed(folder.path, [
      `--emulated-version=${release}`,
      '--runtime-config=resource.k8s.io/v1=true',
      '--storage-backend=embedded',
      `--data-dir=${join(folder.path, 'data')}`,
      ...(release === '1.33' ? ['--runtime-config-emulation-forward-compatible=true'] : []),
    ])
  }
  after(async () => {
    await server.stop()
    folder.remove()
  })

  it('functions of 1.34 are accepted in every field when 1.36 is emulated', async () => {
    await emulating('1.36')
    for (const [place, [path, make]] of Object.entries(places)) {
      const { status, text } = await call(path, make('news', sorted))
      assert.equal(status, 201, `${place}: ${text}`)
    }
  })

  it('functions of 1.34 are refused in every field when 1.33 is emulated', async () => {
    await server.stop()
    await emulating('1.33')
    for (const [place, [path, make]] of Object.entries(places)) {
      const { status, text } = await call(path, make('others', sorted))
      assert.equal(status, 422, `${place}: ${text}`)
      assert.match(text, /undeclared reference to 'sort'/, place)
    }
  })

  it('objects with stored expressions of a later release can be changed', async () => {
    for (const [place, [path, make]] of Object.entries(places)) {
      const name = path === crds ? 'news.example.com' : 'news'
      const changed = { ...make('news', sorted), metadata: { labels: { a: 'b' } } }
      const { status, text } = await call(`${path}/${name}`, changed, 'PATCH')
      assert.equal(status, 200, `${place}: ${text}`)
    }
    const grown = definition('news', sorted, { more: { type: 'string' } })
    const { status, text } = await call(`${crds}/news.example.com`, grown, 'PATCH')
    assert.equal(status, 200, text)
  })

  it('stored rules of a later release judge objects', async () => {
    const path = '/apis/example.com/v1/namespaces/default/news'
    for (const [items, expected] of [
      [[1, 2], 201],
      [[2, 1], 422],
    ] as const) {
      const body = { apiVersion: 'example.com/v1', kind: 'News', metadata: { generateName: 'a' }, items }
      const { status, text } = await call(path, body)
      assert.equal(status, expected, text)
    }
  })

  it('selectors of devices may bind names, and compare versions in every release', async () => {
    const expression = "cel.bind(v, '1.2.0', semver(v).isLessThan(semver('1.10.0')))"
    const body = { metadata: { name: 'bound' }, spec: { selectors: [{ cel: { expression } }] } }
    const { status, text } = await call('/apis/resource.k8s.io/v1/deviceclasses', body)
    assert.equal(status, 201, text)
  })
})
