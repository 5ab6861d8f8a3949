import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Server, ServerCredentials } from '@grpc/grpc-js'
import protobuf from 'protobufjs'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { adminToken, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { eventually } from '../../support/eventually.ts'
import { ask } from '../../support/plane.ts'

const { root } = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resourceSpans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scopeSpans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
  message Scope { string name = 1; }
  message Span {
    bytes traceId = 1; bytes spanId = 2; bytes parentSpanId = 4; string name = 5; int32 kind = 6;
    fixed64 startTimeUnixNano = 7; fixed64 endTimeUnixNano = 8; repeated KeyValue attributes = 9;
    repeated Event events = 11; repeated Link links = 13; Status status = 15;
  }
  message Event { fixed64 timeUnixNano = 1; string name = 2; repeated KeyValue attributes = 3; }
  message Link { bytes traceId = 1; bytes spanId = 2; }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string stringValue = 1; bool boolValue = 2; int64 intValue = 3; double doubleValue = 4; } }
`)
const requestType = root.lookupType('Request')

interface SentSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly kind: number
  readonly scope: string
  readonly service: Readonly<Record<string, unknown>>
  readonly attributes: Readonly<Record<string, unknown>>
  readonly links: readonly { traceId: string; spanId: string }[]
  readonly events: readonly string[]
}

/** A real collector: OTLP over gRPC, on loopback. */
async function startCollector(): Promise<{ port: number; spans: SentSpan[]; close(): void }> {
  const spans: SentSpan[] = []
  const server = new Server()
  const handler = {
    export: {
      path: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
      requestStream: false,
      responseStream: false,
      requestSerialize: (bytes: Buffer) => bytes,
      requestDeserialize: (bytes: Buffer) => bytes,
      responseSerialize: (bytes: Buffer) => bytes,
      responseDeserialize: (bytes: Buffer) => bytes,
    },
  }
  server.addService(handler, {
    export(call: { request: Buffer }, done: (error: null, answer: Buffer) => void) {
      spans.push(...spansOf(call.request))
      done(null, Buffer.alloc(0))
    },
  })
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  )
  return { port, spans, close: () => server.forceShutdown() }
}

type Values = readonly { key: string; value: Readonly<Record<string, unknown>> }[]

function spansOf(bytes: Buffer): SentSpan[] {
  const sent = requestType.toObject(requestType.decode(bytes), { bytes: String, longs: Number, arrays: true }) as {
    resourceSpans: { resource: { attributes: Values }; scopeSpans: { scope: { name: string }; spans: unknown[] }[] }[]
  }
  const hex = (text = ''): string => Buffer.from(text, 'base64').toString('hex')
  const values = (list: Values): Record<string, unknown> =>
    Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]))
  return sent.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      (
        spans as {
          name: string
          traceId: string
          spanId: string
          parentSpanId: string
          kind: number
          attributes: Values
          links: { traceId: string; spanId: string }[]
          events: { name: string }[]
        }[]
      ).map((span) => ({
        name: span.name,
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentSpanId: hex(span.parentSpanId),
        kind: span.kind,
        scope: scope.name,
        service: values(resource.attributes),
        attributes: values(span.attributes),
        events: span.events.map(({ name }) => name),
        links: span.links.map((link) => ({ traceId: hex(link.traceId), spanId: hex(link.spanId) })),
      })),
    ),
  )
}

interface Backend {
  readonly url: string
  readonly certificate: string
  readonly headers: Record<string, unknown>[]
  close(): void
}

/** A webhook server that allows everything, of reviews of either kind. */
async function startBackend(): Promise<Backend> {
  const authority = createAuthority({ clock: systemClock, random: systemRandom }, { commonName: 'ca' })
  const pair = authority.issue({ commonName: 'hooks', usage: 'server', names: ['127.0.0.1'] })
  const headers: Record<string, unknown>[] = []
  const server = https.createServer(
    { cert: pair.certificate, key: pair.key, keepAliveTimeout: 0 },
    (request, response) => {
      headers.push({ path: request.url, ...request.headers })
      let text = ''
      request.on('data', (chunk) => (text += String(chunk)))
      request.on('end', () => {
        const { apiVersion, kind, request: review } = JSON.parse(text) as Record<string, { uid?: string }>
        const isAdmission = (kind as unknown) === 'AdmissionReview'
        const answer = isAdmission ? { response: { uid: review?.uid, allowed: true } } : { status: { allowed: true } }
        response.end(JSON.stringify({ apiVersion, kind, ...answer }))
      })
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    certificate: authority.certificate,
    headers,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const traceId = '0af7651916cd43dd8448eb211c80319c'
const parentId = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${parentId}-01`

describe('tracing', () => {
  const folder = scratchFolder('tracing')
  const written = (name: string, text: string): string => {
    const file = join(folder.path, name)
    writeFileSync(file, text)
    return file
  }
  const configFile = (name: string, fields: object, version = 'v1'): string =>
    written(
      name,
      JSON.stringify({ apiVersion: `apiserver.config.k8s.io/${version}`, kind: 'TracingConfiguration', ...fields }),
    )

  describe('with a collector', () => {
    let collector: Awaited<ReturnType<typeof startCollector>>
    let backend: Backend
    before(async () => {
      collector = await startCollector()
      backend = await startBackend()
    })
    after(() => {
      collector.close()
      backend.close()
    })
    beforeEach(() => {
      collector.spans.length = 0
      backend.headers.length = 0
    })

    async function traced(
      samplingRatePerMillion: number | undefined,
      work: (url: string) => Promise<void>,
      flags: readonly string[] = [],
    ): Promise<readonly SentSpan[]> {
      const endpoint = `127.0.0.1:${collector.port}`
      const file = configFile('tracing.json', { endpoint, samplingRatePerMillion })
      const server = await startComposed(folder.path, [`--tracing-config-file=${file}`, ...flags], {
        tokens: ['monitor-token,monitor,monitor,"system:monitoring"', 'user-token,user,user'],
      })
      try {
        await work(server.url)
      } finally {
        await server.stop()
      }
      return collector.spans
    }

    const create = (url: string, name: string, headers: Record<string, string> = {}, token = adminToken) =>
      ask(url, '/api/v1/namespaces/default/configmaps', { token, body: { metadata: { name } }, headers })

    it('goes from the request to the store and the webhooks, which get the trace', async () => {
      const kubeconfig = written(
        'authorizer.kubeconfig',
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'Config',
          clusters: [
            {
              name: 'c',
              cluster: {
                server: `${backend.url}/authorize`,
                'certificate-authority-data': Buffer.from(backend.certificate).toString('base64'),
              },
            },
          ],
          users: [{ name: 'u', user: {} }],
          contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
          'current-context': 'x',
        }),
      )
      const hook = {
        name: 'check.traces.test',
        clientConfig: {
          url: `${backend.url}/admit`,
          caBundle: Buffer.from(backend.certificate).toString('base64'),
        },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      }
      const spans = await traced(
        0,
        async (url) => {
          const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
          const configured = await ask(url, path, {
            token: adminToken,
            body: { metadata: { name: 'traces' }, webhooks: [hook] },
          })
          assert.equal(configured.status, 201, configured.text)
          let tries = 0
          await eventually(async () => {
            await create(url, `try-${tries++}`)
            return backend.headers.some(({ path: at }) => String(at).startsWith('/admit'))
          }, 'the webhook is called')
          backend.headers.length = 0
          const answer = await create(url, 'seen', { traceparent, 'audit-id': 'the-audit-id' }, 'monitor-token')
          assert.equal(answer.status, 201, answer.text)
        },
        [
          '--authorization-mode=RBAC,Webhook',
          `--authorization-webhook-config-file=${kubeconfig}`,
          '--authorization-webhook-version=v1',
        ],
      )
      const ours = spans.filter((span) => span.traceId === traceId)
      const [request] = ours.filter(({ kind }) => kind === 2)
      assert.ok(request)
      assert.equal(request.name, 'POST /api/v1/namespaces/{:namespace}/configmaps')
      assert.deepEqual([request.parentSpanId, request.scope], [parentId, 'KubernetesAPI'])
      assert.equal(request.service['service.name'], 'apiserver')
      assert.match(String(request.service['service.instance.id']), /^apiserver-[a-z2-7]{26}$/)
      assert.equal(request.attributes['http.target'], '/api/v1/namespaces/default/configmaps')
      assert.equal(request.attributes['audit-id'], 'the-audit-id')
      assert.equal(request.attributes['http.response.status_code'], 201)
      const handler = ours.find(({ name }) => name === 'Create')
      assert.equal(handler?.parentSpanId, request.spanId)
      const below = ours.filter(({ parentSpanId }) => [request.spanId, handler.spanId].includes(parentSpanId))
      const named = (name: string): SentSpan | undefined => below.find((span) => span.name === name)
      assert.equal(named('Create etcd3')?.attributes['key'], '/registry/configmaps/default/seen')
      const called = named('Call validating webhook')
      assert.equal(called?.attributes['configuration'], 'traces')
      assert.equal(called?.attributes['webhook'], 'check.traces.test')
      assert.equal(called?.attributes['operation'], 'CREATE')
      const asked = named('Call authorization webhook')
      const handed = Object.fromEntries(
        backend.headers.map((each) => [String(each['path']).replace(/\?.*/, ''), each['traceparent']]),
      )
      assert.deepEqual(handed, {
        '/admit': `00-${traceId}-${called?.spanId}-01`,
        '/authorize': `00-${traceId}-${asked?.spanId}-01`,
      })
    })

    it("shows the steps of handlers, and the watch cache's part in them", async () => {
      const path = '/api/v1/namespaces/default/configmaps'
      const spans = await traced(1_000_000, async (url) => {
        const token = adminToken
        const headers = { 'content-type': 'application/merge-patch+json' }
        const apply = { 'content-type': 'application/apply-patch+yaml' }
        const named = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
        const calls: [string, Parameters<typeof ask>[2], number][] = [
          [path, { token, body: named }, 201],
          [`${path}/a`, { token, headers: { 'audit-id': 'of-get' } }, 200],
          [`${path}?resourceVersion=0`, { token }, 200],
          [`${path}/a`, { token, method: 'PUT', body: { ...named, data: { a: 'b' } } }, 200],
          [`${path}/a`, { token, method: 'PATCH', headers, body: { data: { c: 'd' } } }, 200],
          [`${path}/a?fieldManager=m`, { token, method: 'PATCH', headers: apply, body: named }, 200],
          [`${path}?watch=true&timeoutSeconds=1`, { token }, 200],
          [`${path}/a`, { token, method: 'DELETE' }, 200],
          [path, { token, method: 'DELETE' }, 200],
          [`${path}/a`, { token }, 404],
        ]
        for (const [at, options, status] of calls) assert.equal((await ask(url, at, options)).status, status, at)
      })
      const requests = new Map(
        spans.filter(({ kind, name }) => kind === 2 && name.includes('configmaps')).map((span) => [span.spanId, span]),
      )
      const handlers = spans.filter(({ parentSpanId }) => requests.has(parentSpanId))
      const stepsOf = (name: string): (readonly string[])[] =>
        handlers.filter((span) => span.name === name).map(({ events }) => events)
      const done = 'Writing http response done'
      assert.deepEqual(stepsOf('Create'), [
        ['Conversion done', 'About to store object in database', 'Write to database call succeeded', done],
      ])
      assert.deepEqual(stepsOf('Update'), [
        ['Conversion done', 'About to store object in database', 'Write to database call succeeded', done],
      ])
      const patching = [
        'limitedReadBody succeeded',
        'About to apply patch',
        'About to check admission control',
        'Object stored in database',
        done,
      ]
      assert.deepEqual(stepsOf('Patch'), [patching, patching])
      const deleting = [
        'Decoded delete options',
        'About to delete object from database',
        'Object deleted from database',
        done,
      ]
      assert.deepEqual(stepsOf('Delete'), [deleting, deleting])
      assert.deepEqual(stepsOf('Get'), [
        ['About to Get from storage', 'About to write a response', done],
        ['About to Get from storage'],
      ])
      assert.deepEqual(stepsOf('List'), [['About to List from storage', 'Listing from storage done', done]])
      const get = handlers.find(({ attributes }) => attributes['audit-id'] === 'of-get')
      assert.ok(get)
      assert.deepEqual(
        [get.attributes['method'], get.attributes['url'], get.attributes['protocol']],
        ['GET', `${path}/a`, 'HTTP/1.1'],
      )
      const cached = (name: string, parent: string): SentSpan | undefined =>
        spans.find((span) => span.name === name && span.parentSpanId === parent)
      const read = cached('cacher.Get', get.spanId)
      assert.deepEqual(read?.attributes, {
        'audit-id': 'of-get',
        key: '/registry/configmaps/default/a',
        'resource-version': '',
      })
      assert.deepEqual(read.events, ['watchCache fresh enough'])
      const serialized = handlers.map(({ spanId }) => spans.filter((span) => span.parentSpanId === spanId))
      assert.deepEqual(
        handlers.map(({ name }, index) => [
          name,
          serialized[index]?.filter((span) => span.name === 'SerializeObject').length,
        ]),
        handlers.map(({ name, events }) => [name, !name.includes('Watch') && events.includes(done) ? 1 : 0]),
      )
      assert.deepEqual(cached('SerializeObject', get.spanId)?.attributes, {
        'audit-id': 'of-get',
        method: 'GET',
        url: `${path}/a`,
        protocol: 'HTTP/1.1',
        mediaType: 'application/json',
        encoder: 'json',
      })
      const list = handlers.find(({ name }) => name === 'List')
      const listed = cached('cacher.GetList', list?.spanId ?? '')
      assert.equal(listed?.attributes['type'], 'configmaps')
      assert.deepEqual(listed.events, ['watchCache fresh enough', 'Filtered items'])
      const [watching] = handlers.filter(({ name }) => name === 'cacher.Watch')
      assert.equal(watching?.attributes['type'], 'configmaps')
    })

    it('begins a new trace for untrusted users, linked to theirs', async () => {
      const spans = await traced(1_000_000, async (url) => {
        await ask(url, '/api/v1/namespaces/default?a=b', { token: 'user-token', headers: { traceparent } })
      })
      const [span] = spans.filter(({ name }) => name === 'GET /api/v1/namespaces/{:name}')
      assert.ok(span)
      assert.notEqual(span.traceId, traceId)
      assert.equal(span.parentSpanId, '')
      assert.deepEqual(span.links, [{ traceId, spanId: parentId }])
      assert.equal(span.attributes['http.target'], '/api/v1/namespaces/default?a=b')
    })

    it('records nothing at a rate of zero, but what the parent has sampled', async () => {
      const spans = await traced(undefined, async (url) => {
        await ask(url, '/version', { token: adminToken })
        await ask(url, '/version', { token: adminToken, headers: { traceparent: traceparent.replace(/01$/, '00') } })
        await ask(url, '/version', { token: adminToken, headers: { traceparent } })
      })
      const sent = spans.map((span) => [span.name, span.traceId])
      assert.deepEqual(sent, [['GET', traceId]])
    })

    it('ignores malformed trace headers', async () => {
      const spans = await traced(1_000_000, async (url) => {
        for (const wrong of ['', '00-', 'x'.repeat(8000), `00-${'0'.repeat(32)}-${parentId}-01`, '__proto__'])
          assert.equal((await ask(url, '/version', { token: adminToken, headers: { traceparent: wrong } })).status, 200)
      })
      const sent = spans.filter(({ name }) => name === 'GET')
      assert.ok(sent.length >= 5)
      assert.ok(sent.every((span) => span.parentSpanId === '' && span.links.length === 0))
    })
  })

  it('does not fail the server without its collector', async () => {
    const file = configFile('gone.json', { endpoint: '127.0.0.1:1', samplingRatePerMillion: 1_000_000 }, 'v1beta1')
    const server = await startComposed(folder.path, [`--tracing-config-file=${file}`])
    try {
      assert.equal((await ask(server.url, '/version', { token: adminToken })).status, 200)
    } finally {
      await server.stop()
    }
  })

  const invalid = 'failed to validate tracing configuration: '
  const refused: readonly [string, () => string, string | RegExp][] = [
    [
      'a file that is not there',
      () => join(folder.path, 'none'),
      `tracing-config-file ${folder.path}/none does not exist`,
    ],
    ['an empty file', () => written('empty', ''), 'tracing config file was empty'],
    ['a folder', () => folder.path, /^failed to read tracing config: unable to read tracing configuration from "/],
    [
      'what is no YAML',
      () => written('broken', 'apiVersion: apiserver.config.k8s.io/v1\nkind: ]['),
      /^failed to read tracing config: unable to decode tracing configuration data: /,
    ],
    [
      'another kind',
      () => written('kind', '{"apiVersion":"v1","kind":"Pod"}'),
      /^failed to read tracing config: unable to decode tracing configuration data: /,
    ],
    ['an unknown field', () => configFile('field', { sampling: 1 }), /unknown field "sampling"/],
    [
      'a rate below none',
      () => configFile('low', { samplingRatePerMillion: -1 }),
      `${invalid}samplingRatePerMillion: Invalid value: -1: sampling rate must be positive`,
    ],
    [
      'a rate above all',
      () => configFile('high', { samplingRatePerMillion: 1_000_001 }),
      `${invalid}samplingRatePerMillion: Invalid value: 1000001: sampling rate per million must be less than or equal to one million`,
    ],
    [
      'an endpoint of another scheme',
      () => configFile('scheme', { endpoint: 'http://collector:4317' }, 'v1alpha1'),
      `${invalid}endpoint: Invalid value: "http://collector:4317": unsupported scheme: http.  Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md`,
    ],
    [
      'an endpoint whose port is none',
      () => configFile('port', { endpoint: 'collector:port' }),
      `${invalid}endpoint: Invalid value: "collector:port": parse "dns://collector:port": invalid port ":port" after host`,
    ],
  ]
  for (const [what, file, line] of refused)
    it(`fails the start with ${what}`, async () => {
      const starting = startComposed(folder.path, [`--tracing-config-file=${file()}`])
      await assert.rejects(starting, (error: Error) => {
        const [prefix, message] = [error.message.slice(0, 23), error.message.slice(23)]
        assert.equal(prefix, '--tracing-config-file: ')
        if (typeof line === 'string') assert.equal(message, line)
        else assert.match(message, line)
        assert.ok(!message.includes('\n'))
        return true
      })
    })
})
