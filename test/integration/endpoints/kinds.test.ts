import assert from 'node:assert/strict'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const merge = { 'content-type': 'application/merge-patch+json' }
const inDefault = '/api/v1/namespaces/default'
const encode = (text: string): string => Buffer.from(text).toString('base64')

describe('endpoints: the first kinds', () => {
  let kit: EndpointKit
  beforeEach(async () => {
    kit = await createEndpointKit()
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  })
  afterEach(() => kit.close())

  describe('Namespace', () => {
    it('is Active on creation, labelled with its name and with the content finalizer', async () => {
      const { json } = await kit.request('POST', '/api/v1/namespaces', {
        body: { metadata: { generateName: 'n-' }, status: { phase: 'Terminating' } },
      })
      assert.deepEqual(json.metadata.labels, { 'kubernetes.io/metadata.name': json.metadata.name })
      assert.deepEqual(json.spec, { finalizers: ['kubernetes'] })
      assert.deepEqual(json.status, { phase: 'Active' })
    })

    it('is deleted in stages: Terminating, emptied by finalize, deleted', async () => {
      await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'n' } } })
      const deleted = await kit.request('DELETE', '/api/v1/namespaces/n')
      assert.equal(deleted.status, 200)
      assert.deepEqual(deleted.json.status, { phase: 'Terminating' })
      assert.equal(deleted.json.metadata.deletionGracePeriodSeconds, undefined)
      const again = await kit.request('DELETE', '/api/v1/namespaces/n')
      assert.equal(again.json.metadata.resourceVersion, deleted.json.metadata.resourceVersion)

      const late = await kit.request('POST', '/api/v1/namespaces/n/configmaps', { body: { metadata: { name: 'c' } } })
      assert.equal(late.status, 403)
      assert.equal(
        late.json.message,
        'configmaps "c" is forbidden: unable to create new content in namespace n because it is being terminated',
      )
      assert.deepEqual(late.json.details?.causes, [
        { reason: 'NamespaceTerminating', message: 'namespace n is being terminated', field: 'metadata.namespace' },
      ])

      const ignored = await kit.request('PUT', '/api/v1/namespaces/n', {
        body: { ...deleted.json, spec: { finalizers: [] } },
      })
      assert.deepEqual(ignored.json.spec, { finalizers: ['kubernetes'] })
      const finalized = await kit.request('PUT', '/api/v1/namespaces/n/finalize', {
        body: { ...deleted.json, spec: { finalizers: [] } },
      })
      assert.equal(finalized.status, 200, finalized.text)
      assert.equal((await kit.request('GET', '/api/v1/namespaces/n')).status, 404)
    })

    it('has a status that its own endpoint changes, and only that', async () => {
      const { json } = await kit.request('GET', '/api/v1/namespaces/default')
      const conditions = [{ type: 'T', status: 'True' }]
      const status = await kit.request('PATCH', '/api/v1/namespaces/default/status', {
        body: { status: { conditions }, spec: { finalizers: ['example.com/x'] } },
        headers: merge,
      })
      assert.equal(status.status, 200, status.text)
      assert.deepEqual(status.json.spec, json.spec)
      assert.equal((status.json.status as unknown as { conditions: unknown[] }).conditions.length, 1)
      const wrong = await kit.request('PATCH', '/api/v1/namespaces/default/status', {
        body: { status: { phase: 'Terminating' } },
        headers: merge,
      })
      assert.equal(
        wrong.json.message,
        'Namespace "default" is invalid: status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
      )
      assert.equal((await kit.request('GET', '/api/v1/namespaces/default/status')).status, 200)
      assert.equal((await kit.request('GET', '/api/v1/namespaces/default/finalize')).status, 405)
      assert.equal((await kit.request('DELETE', '/api/v1/namespaces/default/status')).status, 405)
    })

    it('is selected by phase', async () => {
      await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'n' } } })
      await kit.request('DELETE', '/api/v1/namespaces/n')
      const { json } = await kit.request('GET', '/api/v1/namespaces?fieldSelector=status.phase%3DTerminating')
      assert.deepEqual(
        json.items.map((item) => item.metadata.name),
        ['n'],
      )
      assert.equal(
        (await kit.request('GET', '/api/v1/namespaces?fieldSelector=metadata.namespace%3Dx')).json.message,
        'field label not supported: metadata.namespace',
      )
    })

    it('is deleted with its metadata’s finalizers last', async () => {
      await kit.request('POST', '/api/v1/namespaces', {
        body: { metadata: { name: 'n', finalizers: ['example.com/hold'] } },
      })
      const deleted = await kit.request('DELETE', '/api/v1/namespaces/n')
      await kit.request('PUT', '/api/v1/namespaces/n/finalize', { body: { ...deleted.json, spec: {} } })
      assert.equal((await kit.request('GET', '/api/v1/namespaces/n')).status, 200)
      await kit.request('PATCH', '/api/v1/namespaces/n', { body: { metadata: { finalizers: null } }, headers: merge })
      assert.equal((await kit.request('GET', '/api/v1/namespaces/n')).status, 404)
    })
  })

  describe('Secret', () => {
    it('is opaque by default, and accepts stringData', async () => {
      const { json } = await kit.request('POST', `${inDefault}/secrets`, {
        body: { metadata: { name: 's' }, data: { a: encode('1'), b: encode('2') }, stringData: { b: '3' } },
      })
      assert.equal(json.type, 'Opaque')
      assert.deepEqual(json.data, { a: encode('1'), b: encode('3') })
      assert.equal(json.stringData, undefined)
      const patched = await kit.request('PATCH', `${inDefault}/secrets/s`, {
        body: { stringData: { c: '4' } },
        headers: merge,
      })
      assert.deepEqual(patched.json.data, { a: encode('1'), b: encode('3'), c: encode('4') })
    })

    const rows: [string, object, string][] = [
      [
        'a bad key',
        { data: { 'a b': '' } },
        "data[a b]: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      ],
      ['tls', { type: 'kubernetes.io/tls' }, '[data[tls.crt]: Required value, data[tls.key]: Required value]'],
      [
        'basic-auth',
        { type: 'kubernetes.io/basic-auth' },
        '[data[username]: Required value, data[password]: Required value]',
      ],
      [
        'ssh-auth',
        { type: 'kubernetes.io/ssh-auth', data: { 'ssh-privatekey': '' } },
        'data[ssh-privatekey]: Required value',
      ],
      ['dockercfg', { type: 'kubernetes.io/dockercfg' }, 'data[.dockercfg]: Required value'],
      [
        'dockerconfigjson without content',
        { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': '' } },
        'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": unexpected end of JSON input',
      ],
      [
        'dockerconfigjson that is no JSON',
        { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': encode('ix') } },
        'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": invalid character \'i\' looking for beginning of value',
      ],
      [
        'a token without an account',
        { type: 'kubernetes.io/service-account-token' },
        'metadata.annotations[kubernetes.io/service-account.name]: Required value',
      ],
      [
        'too much',
        { data: { a: encode('x'.repeat(1024 * 1024 + 1)) } },
        'data: Too long: may not be more than 1048576 bytes',
      ],
    ]
    for (const [title, fields, message] of rows) {
      it(`refuses ${title}`, async () => {
        const answer = await kit.request('POST', `${inDefault}/secrets`, {
          body: { metadata: { name: 's' }, ...fields },
        })
        assert.equal(answer.json.message, `Secret "s" is invalid: ${message}`)
      })
    }

    it('keeps its type, and all fields when it is immutable', async () => {
      await kit.request('POST', `${inDefault}/secrets`, {
        body: { metadata: { name: 's' }, immutable: true, data: { a: '' } },
      })
      const retyped = await kit.request('PATCH', `${inDefault}/secrets/s`, { body: { type: 'x' }, headers: merge })
      assert.equal(retyped.json.message, 'Secret "s" is invalid: type: Invalid value: "x": field is immutable')
      const changed = await kit.request('PATCH', `${inDefault}/secrets/s`, {
        body: { data: { a: 'AAAA' }, immutable: null },
        headers: merge,
      })
      assert.equal(
        changed.json.message,
        'Secret "s" is invalid: [immutable: Forbidden: field is immutable when `immutable` is set, data: Forbidden: field is immutable when `immutable` is set]',
      )
      const labelled = await kit.request('PATCH', `${inDefault}/secrets/s`, {
        body: { metadata: { labels: { a: 'b' } } },
        headers: merge,
      })
      assert.equal(labelled.status, 200)
    })

    it('is selected by type', async () => {
      await kit.request('POST', `${inDefault}/secrets`, { body: { metadata: { name: 's' }, type: 'example.com/t' } })
      const { json } = await kit.request('GET', '/api/v1/secrets?fieldSelector=type%3Dexample.com/t')
      assert.equal(json.items.length, 1)
    })

    it('warns about an invalid key pair', async () => {
      const answer = await kit.request('POST', `${inDefault}/secrets`, {
        body: { metadata: { name: 's' }, type: 'kubernetes.io/tls', data: { 'tls.crt': '', 'tls.key': '' } },
      })
      assert.equal(answer.status, 201)
      assert.deepEqual(answer.warnings, ['tls: failed to find any PEM data in certificate input'])
    })
  })

  describe('ConfigMap', () => {
    const rows: [string, object, string][] = [
      [
        'a key in both',
        { data: { a: '' }, binaryData: { a: '' } },
        '[data[a]: Invalid value: "a": duplicate of key present in binaryData, binaryData[a]: Invalid value: "a": duplicate of key present in data]',
      ],
      ['too much', { data: { a: 'x'.repeat(1024 * 1024 + 1) } }, '[]: Too long: may not be more than 1048576 bytes'],
      ['a key that climbs', { data: { '..': '' } }, 'data[..]: Invalid value: "..": must not be \'..\''],
    ]
    for (const [title, fields, message] of rows) {
      it(`refuses ${title}`, async () => {
        const answer = await kit.request('POST', `${inDefault}/configmaps`, {
          body: { metadata: { name: 'c' }, ...fields },
        })
        assert.equal(answer.json.message, `ConfigMap "c" is invalid: ${message}`)
      })
    }
  })

  it('keeps the subsets of Endpoints as they were sent', async () => {
    const ports = [{ name: 'a', port: 80, protocol: 'TCP' }]
    const subsets = [
      { addresses: [{ ip: '10.1.0.2' }], ports },
      { addresses: [{ ip: '10.1.0.1' }], ports },
    ]
    const answer = await kit.request('POST', `${inDefault}/endpoints`, { body: { metadata: { name: 'e' }, subsets } })
    assert.deepEqual(answer.json.subsets, subsets)
  })

  describe('Event', () => {
    const regarding = { kind: 'Pod', namespace: 'default', name: 'p' }
    const newStyle = {
      regarding,
      eventTime: '2024-01-01T00:00:00.000000Z',
      reportingController: 'a.b/c',
      reportingInstance: 'i',
      action: 'a',
      reason: 'r',
      type: 'Normal',
      note: 'n',
    }
    const newEvents = '/apis/events.k8s.io/v1/namespaces/default/events'

    it('is one object in both groups', async () => {
      const created = await kit.request('POST', newEvents, { body: { metadata: { name: 'e' }, ...newStyle } })
      assert.equal(created.status, 201, created.text)
      assert.equal(created.json.apiVersion, 'events.k8s.io/v1')
      const core = await kit.request('GET', `${inDefault}/events/e`)
      assert.equal(core.json.apiVersion, 'v1')
      assert.equal(core.json.message, 'n')
      assert.deepEqual(core.json.involvedObject, regarding)
      assert.equal(core.json.reportingComponent, 'a.b/c')
      const again = await kit.request('GET', `${newEvents}/e`)
      assert.deepEqual(again.json, created.json)
      const list = await kit.request('GET', '/apis/events.k8s.io/v1/events?fieldSelector=regarding.name%3Dp')
      assert.equal(list.json.kind, 'EventList')
      assert.deepEqual(
        list.json.items.map((item) => item.note),
        ['n'],
      )
      assert.equal(
        (await kit.request('GET', '/api/v1/events?fieldSelector=involvedObject.name%3Dp')).json.items.length,
        1,
      )
      assert.equal((await kit.request('GET', '/api/v1/events?fieldSelector=regarding.name%3Dp')).status, 400)
    })

    it('is searched, read and deleted under the request’s name for it', async () => {
      const body = { metadata: { name: 'e' }, ...newStyle }
      await kit.request('POST', newEvents, { body })
      const stale = { metadata: { name: 'e', resourceVersion: '1' }, ...newStyle }
      const merge = { 'content-type': 'application/merge-patch+json' }
      const answers = [
        await kit.request('POST', newEvents, { body }),
        await kit.request('GET', `${newEvents}/none`),
        await kit.request('PATCH', `${newEvents}/none`, { body: {}, headers: merge }),
        await kit.request('DELETE', `${newEvents}/none`),
        await kit.request('PUT', `${newEvents}/e`, { body: stale }),
        await kit.request('DELETE', `${newEvents}/e`),
      ]
      assert.deepEqual(
        answers.map(({ json }) => [json.code ?? 200, (json.details as { group?: string }).group]),
        [409, 404, 404, 404, 409, 200].map((code) => [code, 'events.k8s.io']),
      )
      assert.equal(answers[1]?.json.message, 'events.events.k8s.io "none" not found')
      assert.equal((await kit.request('GET', `${inDefault}/events/e`)).json.message, 'events "e" not found')
    })

    it('shows itself to watches of both groups', async () => {
      const [core, events] = [await kit.watch(`${inDefault}/events?watch=1`), await kit.watch(`${newEvents}?watch=1`)]
      await kit.request('POST', `${inDefault}/events`, {
        body: { metadata: { name: 'e' }, involvedObject: regarding, message: 'm' },
      })
      assert.equal((await core.until(1))[0]?.object.message, 'm')
      assert.equal((await events.until(1))[0]?.object.note, 'm')
      core.close()
      events.close()
    })

    it('checks new events strictly and old ones loosely', async () => {
      const bad = await kit.request('POST', newEvents, { body: { metadata: { name: 'e' }, regarding, series: {} } })
      assert.equal(bad.status, 422)
      const fields = bad.json.details?.causes?.map(({ field }) => field)
      assert.deepEqual(fields, ['series.count', 'series.lastObservedTime', 'eventTime', 'type'])
      const old = await kit.request('POST', `${inDefault}/events`, {
        body: { metadata: { name: 'Odd_Name' }, involvedObject: regarding },
      })
      assert.equal(old.status, 201, old.text)
      const elsewhere = await kit.request('POST', `${inDefault}/events`, {
        body: { metadata: { name: 'f' }, involvedObject: { namespace: 'x' } },
      })
      assert.equal(
        elsewhere.json.message,
        'Event "f" is invalid: involvedObject.namespace: Invalid value: "x": does not match event.namespace',
      )
    })

    it('changes only in its series after its creation', async () => {
      await kit.request('POST', newEvents, { body: { metadata: { name: 'e' }, ...newStyle } })
      const noted = await kit.request('PATCH', `${newEvents}/e`, { body: { note: 'other' }, headers: merge })
      assert.equal(noted.json.message, 'Event "e" is invalid: message: Invalid value: "other": field is immutable')
      const series = { count: 2, lastObservedTime: '2024-01-01T00:01:00.000000Z' }
      const counted = await kit.request('PATCH', `${newEvents}/e`, { body: { series }, headers: merge })
      assert.deepEqual(counted.json.series, series)
    })
  })

  describe('Lease', () => {
    it('checks its durations, and has no coordination while the gate is off', async () => {
      const url = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
      const bad = await kit.request('POST', url, {
        body: { metadata: { name: 'l' }, spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } },
      })
      assert.equal(
        bad.json.message,
        'Lease.coordination.k8s.io "l" is invalid: [spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0, spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0]',
      )
      const spec = { holderIdentity: 'me', strategy: 'OldestEmulationVersion', preferredHolder: 'you' }
      const created = await kit.request('POST', url, { body: { metadata: { name: 'l' }, spec } })
      assert.deepEqual(created.json.spec, { holderIdentity: 'me' })
    })
  })

  it('Endpoints keep their addresses in the given order', async () => {
    const port = (name: string, port: number): object => ({ name, port, protocol: 'TCP' })
    const subsets = [
      { addresses: [{ ip: '10.0.0.2' }, { ip: '10.0.0.1' }], ports: [port('b', 81), port('a', 80)] },
      { addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }], ports: [port('c', 82)] },
    ]
    const { json } = await kit.request('POST', `${inDefault}/endpoints`, { body: { metadata: { name: 'e' }, subsets } })
    assert.deepEqual(json['subsets'], subsets)
  })

  it('a ServiceAccount keeps the names of its secrets alone', async () => {
    const { json } = await kit.request('POST', `${inDefault}/serviceaccounts`, {
      body: { metadata: { name: 's' }, secrets: [{ name: 'a', namespace: 'x', kind: 'y' }] },
    })
    assert.deepEqual(json.secrets, [{ name: 'a' }])
    assert.equal((await kit.request('DELETE', `${inDefault}/serviceaccounts/s`)).json.kind, 'ServiceAccount')
  })
})
