import assert from 'node:assert/strict'
import { createMetrics } from '../../../lib/observe/index.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'
import { eventually } from '../../support/eventually.ts'

const base = '/api/v1/namespaces/default/configmaps'

describe('endpoints: watches', () => {
  let kit: EndpointKit
  const put = async (name: string, labels: Record<string, string> = {}, data = {}): Promise<string> => {
    const body = { metadata: { name, labels }, data }
    const exists = (await kit.request('GET', `${base}/${name}`)).status === 200
    const answer = await (exists
      ? kit.request('PUT', `${base}/${name}`, { body })
      : kit.request('POST', base, { body }))
    return answer.json.metadata.resourceVersion ?? ''
  }
  beforeEach(async () => {
    kit = await createEndpointKit({ gates: ['WatchList'] })
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  })
  afterEach(() => kit.close())

  it('starts with existing objects when no version is given, and with any state at 0', async () => {
    await put('a')
    await put('b')
    for (const version of ['', '&resourceVersion=0']) {
      const watching = await kit.watch(`${base}?watch=true${version}`)
      const events = await watching.until(2)
      assert.deepEqual(
        events.map(({ type, object }) => [type, object.metadata.name]),
        [
          ['ADDED', 'a'],
          ['ADDED', 'b'],
        ],
      )
      watching.close()
      await watching.finished
    }
  })

  it('starts after the given version, without existing objects', async () => {
    await put('a')
    const version = await put('b')
    await put('c')
    const watching = await kit.watch(`${base}?watch=1&resourceVersion=${version}`)
    const events = await watching.until(1)
    assert.deepEqual(
      events.map(({ type, object }) => [type, object.metadata.name]),
      [['ADDED', 'c']],
    )
    watching.close()
  })

  it('answers an ERROR event with 410 when the version has expired', async () => {
    const small = await createEndpointKit({ cache: { historyEventsMin: 2, historyEventsMax: 2, historyFreshMs: 0 } })
    try {
      await small.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
      for (const name of ['a', 'b', 'c', 'd', 'e']) await small.request('POST', base, { body: { metadata: { name } } })
      const watching = await small.watch(`${base}?watch=1&resourceVersion=2`)
      const [event] = await watching.until(1)
      assert.equal(watching.status, 200)
      assert.equal(event?.type, 'ERROR')
      assert.equal(event?.object.kind, 'Status')
      assert.equal(event?.object.code, 410)
      assert.equal(event?.object.reason, 'Expired')
      assert.match(event?.object.message ?? '', /^too old resource version: 2 \(\d+\)$/)
      await watching.finished
      assert.ok(watching.ended)
    } finally {
      await small.close()
    }
  })

  it('shows objects entering and leaving a selector as ADDED and DELETED', async () => {
    const watching = await kit.watch(`${base}?watch=1&labelSelector=in%3Dyes`)
    await put('a', { in: 'no' })
    await put('a', { in: 'yes' })
    await put('a', { in: 'yes' }, { x: '1' })
    await put('a', { in: 'no' })
    const events = await watching.until(3)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['ADDED', 'MODIFIED', 'DELETED'],
    )
    watching.close()
  })

  it('watches one object by selector and by the older path', async () => {
    await put('a')
    await put('b')
    for (const url of [
      `${base}?watch=1&fieldSelector=metadata.name%3Db`,
      `/api/v1/watch/namespaces/default/configmaps/b`,
    ]) {
      const watching = await kit.watch(url)
      await put('a', {}, { at: url })
      await put('b', {}, { at: url })
      const events = await watching.until(2)
      assert.deepEqual(
        events.map(({ object }) => object.metadata.name),
        ['b', 'b'],
      )
      watching.close()
    }
  })

  it('ends the requested initial events with a marked bookmark', async () => {
    await put('a')
    const watching = await kit.watch(
      `${base}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    )
    const events = await watching.until(2)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['ADDED', 'BOOKMARK'],
    )
    const bookmark = events[1]?.object
    assert.equal(bookmark?.kind, 'ConfigMap')
    assert.equal(bookmark?.metadata.annotations?.['k8s.io/initial-events-end'], 'true')
    assert.ok(Number(bookmark?.metadata.resourceVersion) > 0)
    watching.close()
  })

  it('measures the duration of initial events', async () => {
    const metrics = createMetrics()
    const counted = await createEndpointKit({ gates: ['WatchList'], metrics })
    try {
      const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
      for (const url of [
        `${base}?${query}`,
        `/api/v1/configmaps?${query}`,
        `${base}?${query}&fieldSelector=metadata.name%3Da`,
        `${base}?watch=1`,
      ]) {
        const watching = await counted.watch(url)
        if (url.includes(query)) await watching.until(1)
        watching.close()
      }
      const { body } = await metrics.exposition()
      const lines = body.split('\n').filter((line) => line.startsWith('apiserver_watch_list_duration_seconds_count'))
      assert.deepEqual(
        lines,
        ['namespace', 'cluster', 'resource'].map(
          (scope) =>
            `apiserver_watch_list_duration_seconds_count{group="",resource="configmaps",scope="${scope}",version="v1"} 1`,
        ),
      )
    } finally {
      await counted.close()
    }
  })

  it('refuses initial events while the gate is off', async () => {
    const off = await createEndpointKit()
    const answer = await off.request('GET', `${base}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`)
    assert.equal(answer.status, 422)
    assert.match(
      answer.json.message ?? '',
      /sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled/,
    )
    await off.close()
  })

  it('ends after timeoutSeconds', async () => {
    const watching = await kit.watch(`${base}?watch=1&timeoutSeconds=1`)
    await watching.finished
    assert.ok(watching.ended)
  })

  it('pauses for a client that reads nothing, repeatedly, and loses nothing', async () => {
    const watching = await kit.watch(`${base}?watch=1`)
    const other = await kit.watch(`${base}?watch=1`)
    let written = 0
    const write = async (): Promise<void> => void (await put('a', {}, { i: String(written++) }))
    for (let round = 1; round <= 3; round++) {
      watching.stall()
      await write()
      await watching.until(written)
      for (let i = 1; i < 20; i++) await write()
      await other.until(written)
      const taken = watching.events().length
      assert.ok(taken < written, `${taken} events went to a client that is behind`)
      watching.drain()
      await watching.until(written)
    }
    assert.deepEqual(
      watching.events().map(({ object }) => (object.data as { i: string }).i),
      Array.from({ length: written }, (_, i) => String(i)),
    )
    watching.close()
    other.close()
  })

  it('frames protobuf by length', async () => {
    await put('a')
    const watching = await kit.watch(`${base}?watch=1`, {
      headers: { accept: 'application/vnd.kubernetes.protobuf;stream=watch' },
    })
    await eventually(() => watching.chunks.length > 0, 'an event')
    assert.equal(watching.headers['content-type'], 'application/vnd.kubernetes.protobuf;stream=watch')
    const bytes = Buffer.concat(watching.chunks)
    assert.equal(bytes.readUInt32BE(0), bytes.length - 4)
    watching.close()
  })

  it('streams rows of a Table, columns first only', async () => {
    await put('a')
    await put('b')
    const watching = await kit.watch(`${base}?watch=1`, {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    })
    const tables = (await watching.until(2)).map(
      ({ object }) => object as unknown as { kind: string; columnDefinitions: [] | null; rows: { cells: string[] }[] },
    )
    assert.deepEqual(
      tables.map(({ kind, columnDefinitions, rows }) => [kind, columnDefinitions?.length ?? null, rows[0]?.cells[0]]),
      [
        ['Table', 3, 'a'],
        ['Table', null, 'b'],
      ],
    )
    watching.close()
  })

  it('streams rows of a Table to several watchers, each in the form that it asks for', async () => {
    await put('a')
    const open = async (query: string) =>
      await kit.watch(`${base}?watch=1${query}`, {
        headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
      })
    const watching = await Promise.all(['', '', '&includeObject=None', '&includeObject=Object'].map(open))
    await Promise.all(watching.map(async (each) => await each.until(1)))
    await put('b')
    await put('c')
    const shown = await Promise.all(
      watching.map(async (each) =>
        (await each.until(3)).map(({ type, object }) => {
          const { columnDefinitions, rows } = object as unknown as {
            columnDefinitions: [] | null
            rows: { cells: string[]; object: { kind: string } | null }[]
          }
          return [type, columnDefinitions?.length ?? 0, rows[0]?.cells[0], rows[0]?.object?.kind]
        }),
      ),
    )
    const expected = (kind?: string) => [
      ['ADDED', 3, 'a', kind],
      ['ADDED', 0, 'b', kind],
      ['ADDED', 0, 'c', kind],
    ]
    const metadata = expected('PartialObjectMetadata')
    assert.deepEqual(shown, [metadata, metadata, expected(), expected('ConfigMap')])
    for (const each of watching) each.close()
  })

  it('streams metadata alone', async () => {
    await put('a', {}, { x: 'y' })
    const watching = await kit.watch(`${base}?watch=1`, {
      headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
    })
    const [event] = await watching.until(1)
    assert.equal(event?.object.kind, 'PartialObjectMetadata')
    assert.deepEqual(Object.keys(event?.object ?? {}), ['kind', 'apiVersion', 'metadata'])
    watching.close()
    const older = await kit.watch(`${base}?watch=1`, {
      headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io' },
    })
    assert.equal((await older.until(1))[0]?.object.apiVersion, 'meta.k8s.io/v1beta1')
    older.close()
  })

  it('answers 406 for formats that can’t be streamed', async () => {
    const answer = await kit.request('GET', `${base}?watch=1`, { headers: { accept: 'application/yaml' } })
    assert.equal(answer.status, 406)
    assert.equal(
      answer.json.message,
      'only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
    )
  })
})
