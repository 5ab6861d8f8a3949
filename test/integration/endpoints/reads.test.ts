import assert from 'node:assert/strict'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const base = '/api/v1/namespaces/default/configmaps'

describe('endpoints: versions, pages and forms of reads', () => {
  let kit: EndpointKit
  let versions: string[]
  before(async () => {
    kit = await createEndpointKit()
    for (const name of ['default', 'other'])
      await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name } } })
    versions = []
    for (const name of ['a', 'b', 'c', 'd']) {
      const labels = { even: name === 'b' || name === 'd' ? 'yes' : 'no' }
      const created = await kit.request('POST', base, { body: { metadata: { name, labels }, data: { is: name } } })
      versions.push(created.json.metadata.resourceVersion ?? '')
    }
    await kit.request('POST', '/api/v1/namespaces/other/configmaps', { body: { metadata: { name: 'z' } } })
  })
  after(() => kit.close())

  const names = async (url: string): Promise<{ code: number; names: string[]; rv: string; answer: string }> => {
    const answer = await kit.request('GET', url)
    const list = answer.json
    return {
      code: answer.status,
      names: (list.items ?? []).map((item) => item.metadata.name ?? ''),
      rv: list.metadata.resourceVersion ?? '',
      answer: answer.text,
    }
  }
  const query = (parameters: Record<string, string | number>): string =>
    `${base}?${new URLSearchParams(Object.entries(parameters).map(([key, value]) => [key, String(value)]))}`

  describe('the table of list versions', () => {
    const all = ['a', 'b', 'c', 'd']
    // resourceVersion is an index into `versions` where it is a number.
    const rows: readonly [string, number | undefined, string, number | undefined, number, string[] | string][] = [
      ['', undefined, '', undefined, 200, all],
      ['', undefined, '0', undefined, 200, all],
      ['', undefined, '', 1, 200, all],
      ['', 2, '', undefined, 200, ['a', 'b']],
      ['', 2, '0', undefined, 200, ['a', 'b']],
      ['', 2, '', 1, 200, ['a', 'b']],
      ['Exact', undefined, '', undefined, 422, 'resourceVersionMatch is forbidden unless resourceVersion is provided'],
      ['Exact', undefined, '0', undefined, 422, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'],
      ['Exact', undefined, '', 1, 200, ['a', 'b']],
      ['Exact', 1, '', 1, 200, ['a']],
      [
        'NotOlderThan',
        undefined,
        '',
        undefined,
        422,
        'resourceVersionMatch is forbidden unless resourceVersion is provided',
      ],
      ['NotOlderThan', undefined, '0', undefined, 200, all],
      ['NotOlderThan', undefined, '', 1, 200, all],
      ['NotOlderThan', 2, '', 1, 200, ['a', 'b']],
    ]
    for (const [match, limit, literal, index, code, expected] of rows) {
      const version = index === undefined ? literal : `version ${index}`
      it(`match '${match}', limit ${limit ?? 'unset'}, resourceVersion '${version}': ${code}`, async () => {
        const parameters: Record<string, string | number> = {}
        if (match !== '') parameters.resourceVersionMatch = match
        if (limit !== undefined) parameters.limit = limit
        const resourceVersion = index === undefined ? literal : (versions[index] ?? '')
        if (resourceVersion !== '') parameters.resourceVersion = resourceVersion
        const result = await names(query(parameters))
        assert.equal(result.code, code, result.answer)
        if (typeof expected === 'string')
          assert.ok(result.answer.includes(JSON.stringify(expected).slice(1, -1)), result.answer)
        else assert.deepEqual(result.names, expected)
        if (match === 'Exact' && code === 200) assert.equal(result.rv, resourceVersion)
      })
    }
  })

  it('pages show one state, whatever is written meanwhile', async () => {
    const first = await kit.request('GET', query({ limit: 2 }))
    const { resourceVersion, remainingItemCount, continue: more = '' } = first.json.metadata
    assert.equal(remainingItemCount, 2)
    await kit.request('POST', base, { body: { metadata: { name: 'bb' } } })
    await kit.request('DELETE', `${base}/bb`)
    const second = await kit.request('GET', query({ limit: 5, continue: more }))
    assert.deepEqual(
      second.json.items.map((item) => item.metadata.name),
      ['c', 'd'],
    )
    assert.equal(second.json.metadata.resourceVersion, resourceVersion)
    assert.equal(second.json.metadata.continue ?? '', '')
    assert.equal(second.json.metadata.remainingItemCount, undefined)
    // A token together with resourceVersion=0 is as without it.
    const again = await kit.request('GET', query({ limit: 5, continue: more, resourceVersion: 0 }))
    assert.deepEqual(
      again.json.items.map((item) => item.metadata.name),
      ['c', 'd'],
    )
  })

  it('a continue token is readable by every replica', async () => {
    const first = await kit.request('GET', query({ limit: 1 }))
    const token = JSON.parse(Buffer.from(first.json.metadata.continue ?? '', 'base64url').toString()) as object
    assert.deepEqual(token, { v: 'meta.k8s.io/v1', rv: Number(first.json.metadata.resourceVersion), start: 'a\0' })
  })

  it('a page with a selector has no remainingItemCount', async () => {
    const first = await kit.request('GET', query({ limit: 1, labelSelector: 'even=yes' }))
    assert.deepEqual(
      first.json.items.map((item) => item.metadata.name),
      ['b'],
    )
    assert.equal(first.json.metadata.remainingItemCount, undefined)
    const rest = await kit.request(
      'GET',
      query({ limit: 1, labelSelector: 'even=yes', continue: first.json.metadata.continue ?? '' }),
    )
    assert.deepEqual(
      rest.json.items.map((item) => item.metadata.name),
      ['d'],
    )
    assert.equal(rest.json.metadata.continue ?? '', '')
  })

  it('an expired continue token answers 410 with a fresh token that continues inconsistently', async () => {
    const old = await createEndpointKit({
      cache: { snapshotKeepMs: 0, historyEventsMin: 2, historyEventsMax: 2, historyFreshMs: 0 },
    })
    try {
      await old.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
      for (const name of ['a', 'b', 'c']) await old.request('POST', base, { body: { metadata: { name } } })
      const first = await old.request('GET', query({ limit: 1 }))
      for (let i = 0; i < 50; i++)
        await old.request('PUT', `${base}/c`, { body: { metadata: { name: 'c' }, data: { i: String(i) } } })
      await old.store.compact(await old.store.currentRevision())
      const expired = await old.request('GET', query({ limit: 1, continue: first.json.metadata.continue ?? '' }))
      assert.equal(expired.status, 410, expired.text)
      assert.equal(expired.json.reason, 'Expired')
      assert.match(
        expired.json.message ?? '',
        /^The provided continue parameter is too old to display a consistent list/,
      )
      const token = expired.json.metadata.continue ?? ''
      assert.equal((JSON.parse(Buffer.from(token, 'base64url').toString()) as { rv: number }).rv, -1)
      const rest = await old.request('GET', query({ continue: token }))
      assert.deepEqual(
        rest.json.items.map((item) => item.metadata.name),
        ['b', 'c'],
      )
    } finally {
      await old.close()
    }
  })

  it('gets any, the latest, or a not older version', async () => {
    for (const version of ['', '0', versions[0] ?? '']) {
      const read = await kit.request('GET', `${base}/a?resourceVersion=${version}`)
      assert.equal(read.status, 200)
    }
    const future = await kit.request('GET', `${base}/a?resourceVersion=999999999`)
    assert.equal(future.status, 504)
    assert.match(future.json.message ?? '', /^Timeout: Too large resource version: 999999999, current: \d+$/)
    assert.equal(future.json.details?.retryAfterSeconds, 1)
  }).timeout(120_000)

  it('selects by name and namespace', async () => {
    assert.deepEqual((await names(query({ fieldSelector: 'metadata.name=c' }))).names, ['c'])
    assert.deepEqual((await names(query({ fieldSelector: 'metadata.name!=c' }))).names, ['a', 'b', 'd'])
    assert.deepEqual((await names('/api/v1/configmaps?fieldSelector=metadata.namespace%3Dother')).names, ['z'])
    assert.deepEqual((await names('/api/v1/configmaps')).names, ['a', 'b', 'c', 'd', 'z'])
    assert.deepEqual((await names('/api/v1/configmaps?fieldSelector=metadata.name%3Dz')).names, ['z'])
    for (const name of ['..', 'a/b']) {
      const none = await names(query({ fieldSelector: `metadata.name=${name}` }))
      assert.deepEqual([none.code, none.names], [200, []], name)
    }
  })

  it('selects cluster-scoped objects by namespace', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
    await kit.request('POST', roles, { body: { metadata: { name: 'r' }, rules: [] } })
    const found = async (selector: string): Promise<string[]> =>
      (await names(`${roles}?fieldSelector=${encodeURIComponent(selector)}`)).names
    assert.deepEqual(await found('metadata.namespace=,metadata.name=r'), ['r'])
    assert.deepEqual(await found('metadata.namespace!=other,metadata.name=r'), ['r'])
    assert.deepEqual(await found('metadata.namespace=other,metadata.name=r'), [])
  })

  it('shows a Table with the kind’s columns', async () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
    const table = (await kit.request('GET', base, { headers: { accept } })).json as unknown as TableJson
    assert.equal(table.kind, 'Table')
    assert.equal(table.apiVersion, 'meta.k8s.io/v1')
    assert.deepEqual(
      table.columnDefinitions.map(({ name }) => name),
      ['Name', 'Data', 'Age'],
    )
    assert.ok(table.columnDefinitions.every(({ description }) => description !== ''))
    assert.deepEqual(table.rows[0]?.cells.slice(0, 2), ['a', 1])
    assert.equal(table.rows[0]?.object?.kind, 'PartialObjectMetadata')
    const withObjects = await kit.request('GET', `${base}/a?includeObject=Object`, { headers: { accept } })
    assert.deepEqual((withObjects.json as unknown as TableJson).rows[0]?.object?.data, { is: 'a' })
    const without = await kit.request('GET', `${base}?includeObject=None`, { headers: { accept } })
    assert.equal((without.json as unknown as TableJson).rows[0]?.object, null)
  })

  it('falls back to the next format in Accept', async () => {
    const accept = 'application/json;as=Table;v=v9;g=meta.k8s.io,application/json'
    assert.equal((await kit.request('GET', base, { headers: { accept } })).json.kind, 'ConfigMapList')
  })

  it('shows metadata alone, of one object and of a list', async () => {
    const one = await kit.request('GET', `${base}/a`, {
      headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
    })
    assert.equal(one.json.kind, 'PartialObjectMetadata')
    assert.equal(one.json.apiVersion, 'meta.k8s.io/v1')
    assert.equal(one.json.data, undefined)
    const list = await kit.request('GET', base, {
      headers: { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' },
    })
    assert.equal(list.json.kind, 'PartialObjectMetadataList')
    assert.deepEqual(list.json.items[0] && Object.keys(list.json.items[0]), ['kind', 'apiVersion', 'metadata'])
    const older = await kit.request('GET', base, {
      headers: { accept: 'application/json;as=PartialObjectMetadataList;v=v1beta1;g=meta.k8s.io' },
    })
    assert.deepEqual(
      [older.json.apiVersion, older.json.items[0]?.apiVersion],
      ['meta.k8s.io/v1beta1', 'meta.k8s.io/v1beta1'],
    )
  })

  it('answers protobuf and YAML', async () => {
    const protobuf = 'application/vnd.kubernetes.protobuf'
    const read = await kit.request('GET', `${base}/a`, { headers: { accept: protobuf } })
    assert.equal(read.headers['content-type'], protobuf)
    assert.equal(Buffer.from(read.bytes).toString('latin1', 0, 4), 'k8s\0')
    const sent = await kit.request('POST', `${base}?dryRun=All`, {
      body: Buffer.from(read.bytes),
      headers: { 'content-type': protobuf },
    })
    assert.equal(sent.status, 409, 'decoded: the object exists')
    for (const url of [base, `${base}/a`])
      assert.equal((await kit.request('GET', url, { headers: { accept: protobuf } })).status, 200)
    const yaml = await kit.request('GET', `${base}/a`, { headers: { accept: 'application/yaml' } })
    assert.match(yaml.text, /^apiVersion: v1\ndata:\n {2}is: a\nkind: ConfigMap\nmetadata:\n/)
    const created = await kit.request('POST', `${base}?dryRun=All`, {
      body: 'metadata: {name: yy}\ndata: {a: "1"}\n',
      headers: { 'content-type': 'application/yaml' },
    })
    assert.deepEqual(created.json.data, { a: '1' }, created.text)
    const partial = await kit.request('GET', base, {
      headers: { accept: `${protobuf};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io` },
    })
    assert.equal(partial.status, 200)
  })

  it('indents on request', async () => {
    for (const request of [
      kit.request('GET', `${base}/a?pretty=true`),
      kit.request('GET', `${base}/a`, { headers: { 'user-agent': 'curl/8' } }),
      kit.request('GET', `${base}?pretty=1`),
    ])
      assert.match((await request).text, /^\{\n {2}"kind": "ConfigMap[^]*\n\}$/)
    const plain = await kit.request('GET', `${base}/a?pretty=false`, { headers: { 'user-agent': 'curl/8' } })
    assert.ok(!plain.text.includes('\n '))
  })

  it('answers one line of JSON, with a newline', async () => {
    const table = { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } }
    const partial = { headers: { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' } }
    for (const request of [
      kit.request('GET', `${base}/a`),
      kit.request('GET', base),
      kit.request('GET', `${base}/a`, table),
      kit.request('GET', base, table),
      kit.request('GET', `${base}?includeObject=Object`, table),
      kit.request('GET', base, partial),
      kit.request('POST', `${base}?dryRun=All`, { body: { metadata: { name: 'line' } } }),
      kit.request('DELETE', `${base}/a?dryRun=All`),
      kit.request('DELETE', `${base}?dryRun=All`),
    ])
      assert.match((await request).text, /^\{"kind":[^\n]*\}\n$/)
  })
})

interface TableJson {
  kind: string
  apiVersion: string
  columnDefinitions: { name: string; description: string }[]
  rows: { cells: unknown[]; object: { kind: string; data?: object } | null }[]
}
