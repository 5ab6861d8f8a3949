import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { configTables, tables } from '../../../api/index.ts'
import {
  type AuditEvent,
  type AuditedCall,
  type AuditRecord,
  type AuditSink,
  createAuditor,
  createLogDelivery,
  createMatcher,
  createSink,
  type Delivery,
  legacyLine,
  openLogFile,
  parsePolicy,
  type SinkOptions,
  type WrittenEvent,
} from '../../../lib/audit/index.ts'
import { createFakeClock, silentLogger, silentMetrics, systemClock } from '../../../lib/base/index.ts'
import { parseRequestInfo } from '../../../lib/request/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'

const scheme = createScheme({ tables: [...tables, ...configTables] })
const ann = { name: 'ann', uid: '', groups: ['dev', 'system:authenticated'], extra: {} }
const errors = silentMetrics.counter({ name: 'x', help: '' })

const rules = `
- {level: None, users: [bob]}
- {level: Request, userGroups: [dev], verbs: [delete]}
- {level: RequestResponse, resources: [{group: "", resources: [pods/log, "*/status"]}]}
- {level: Metadata, resources: [{group: "", resources: [configmaps], resourceNames: [one]}]}
- {level: Request, namespaces: [kube-system], resources: [{group: apps}]}
- {level: RequestResponse, resources: [{group: batch, resources: ["*"]}]}
- {level: Request, resources: [{group: "", resources: ["nodes/*"]}]}
- {level: Metadata, namespaces: [""]}
- {level: Request, nonResourceURLs: ["/healthz*", "/version"]}
`

describe('audit: policy', () => {
  const { policy } = parsePolicy(`apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:${rules}`, scheme.objects)
  const matches = createMatcher(policy)
  const cases: [string, string, string][] = [
    ['DELETE', '/api/v1/namespaces/default/pods/a', 'Request'],
    ['GET', '/api/v1/namespaces/default/pods/a', 'None'],
    ['GET', '/api/v1/namespaces/default/pods/a/log', 'RequestResponse'],
    ['GET', '/api/v1/namespaces/default/services/a/status', 'RequestResponse'],
    ['GET', '/api/v1/namespaces/default/configmaps/one', 'Metadata'],
    ['GET', '/api/v1/namespaces/default/configmaps/two', 'None'],
    ['GET', '/apis/apps/v1/namespaces/kube-system/deployments', 'Request'],
    ['GET', '/apis/apps/v1/namespaces/default/deployments', 'None'],
    ['GET', '/apis/batch/v1/namespaces/default/jobs/a/status', 'RequestResponse'],
    ['GET', '/api/v1/nodes/a', 'Request'],
    ['GET', '/api/v1/nodes/a/proxy', 'Request'],
    ['GET', '/api/v1/persistentvolumes', 'Metadata'],
    ['GET', '/healthz/etcd', 'Request'],
    ['GET', '/version', 'Request'],
    ['GET', '/versions', 'None'],
  ]
  for (const [method, path, level] of cases) {
    it(`${method} ${path}: ${level}`, () => {
      assert.equal(matches(parseRequestInfo(method, path, new URLSearchParams()), ann).level, level)
    })
  }
  it('leaves a user out by name', () => {
    const info = parseRequestInfo('DELETE', '/api/v1/nodes/a', new URLSearchParams())
    assert.equal(matches(info, { ...ann, name: 'bob' }).level, 'None')
    assert.equal(matches(info, undefined).level, 'Request')
  })
  it('leaves stages out for all rules and for one', () => {
    const text =
      'apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{level: Metadata, omitStages: [Panic]}]'
    const decision = createMatcher(parsePolicy(text, scheme.objects).policy)(
      parseRequestInfo('GET', '/version', new URLSearchParams()),
      ann,
    )
    assert.deepEqual(decision.stages, {
      RequestReceived: false,
      ResponseStarted: true,
      ResponseComplete: true,
      Panic: false,
    })
  })

  const wrong: [string, RegExp][] = [
    ['- {level: Metadata, nonResourceURLs: [x]}', /must begin with a '\/' character/],
    ['- {level: Metadata, nonResourceURLs: ["/a*b"]}', /must be the final character/],
    ['- {level: Metadata, nonResourceURLs: ["/a"], namespaces: [b]}', /cannot apply to both/],
    ['- {level: Metadata, resources: [{group: "", resourceNames: [a]}]}', /requires at least one resource/],
    ['- {level: Metadata, resources: [{group: apps/v1}]}', /without its version/],
    ['- {level: Metadata, omitStages: [Never]}', /allowed stages are/],
  ]
  for (const [rule, message] of wrong) {
    it(`refuses ${rule}`, () => {
      assert.throws(
        () => parsePolicy(`apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n${rule}`, scheme.objects),
        message,
      )
    })
  }
})

const event: AuditEvent = {
  level: 'Metadata',
  auditId: 'id',
  stage: 'ResponseComplete',
  requestUri: '/x',
  verb: 'get',
  user: ann,
  impersonatedUser: undefined,
  impersonationConstraint: '',
  sourceIps: ['1.2.3.4'],
  userAgent: 'a "b"',
  objectRef: undefined,
  responseStatus: { metadata: {}, code: 200 },
  requestObject: undefined,
  responseObject: undefined,
  receivedAt: '2030-01-01T00:00:00.000000Z',
  stageAt: '2030-01-01T00:00:00.000000Z',
  annotations: undefined,
}

describe('audit: batches', () => {
  const sinkOf = (options: Partial<SinkOptions['batch']>, more: Partial<SinkOptions> = {}) => {
    const clock = createFakeClock(0)
    const batches: number[] = []
    const delivery: Delivery = {
      name: 'webhook',
      async deliver(events) {
        batches.push(events.length)
      },
      close() {},
    }
    const batch = { bufferSize: 10, maxSize: 3, maxWaitMs: 1000, ...options }
    const sink = createSink({ clock, log: silentLogger, errors }, delivery, { mode: 'batch', batch, ...more })
    return {
      clock,
      batches,
      sink,
      add: (count: number) =>
        Array.from({ length: count }, () => sink.process(event, '')).filter((taken) => taken === false).length,
    }
  }

  it('are written when they are full, and the rest when its time has come', async () => {
    const { clock, batches, add } = sinkOf({})
    add(7)
    assert.deepEqual(batches, [3, 3])
    clock.advance(1000)
    assert.deepEqual(batches, [3, 3, 1])
  })
  it('wait for the throttle, and events beyond the buffer are lost', async () => {
    const { clock, batches, add } = sinkOf({ throttle: { qps: 1, burst: 1 }, bufferSize: 4 })
    assert.equal(add(8), 1)
    assert.deepEqual(batches, [3])
    clock.advance(1000)
    assert.deepEqual(batches, [3, 3])
  })
  it('are all written at the end, whatever the throttle', async () => {
    const { batches, sink, add } = sinkOf({ throttle: { qps: 0.001, burst: 1 }, bufferSize: 100 })
    add(8)
    await sink.close()
    assert.deepEqual(batches, [3, 3, 2])
  })
  it('are split by size, and events that are too large lose their objects, or are lost', async () => {
    const truncate = { eventBytesMax: 700, batchBytesMax: 1000 }
    const texts: string[] = []
    const delivery: Delivery = {
      name: 'webhook',
      deliver: (events) => void texts.push(events.map(({ text }) => text).join('\n')),
      close() {},
    }
    const clock = createFakeClock(0)
    const batch = { bufferSize: 10, maxSize: 3, maxWaitMs: 0 }
    const sink = createSink({ clock, log: silentLogger, errors }, delivery, { mode: 'batch', batch, truncate })
    const large = { ...event, requestObject: JSON.stringify('x'.repeat(1000)) }
    assert.equal(sink.process(large, 'x'.repeat(1200)), true)
    assert.equal(sink.process({ ...large, requestUri: 'y'.repeat(900) }, 'x'.repeat(2000)), false)
    void sink.process(event, 'z'.repeat(690))
    void sink.process(event, 'z'.repeat(100))
    await sink.close()
    assert.equal(texts.length, 2)
    assert.match(texts[0] ?? '', /"annotations":\{"audit.k8s.io\/truncated":"true"\}/)
    assert.doesNotMatch(texts[0] ?? '', /requestObject/)
  })
  it('blocking-strict reports when an event is lost', async () => {
    const clock = createFakeClock(0)
    const delivery: Delivery = {
      name: 'log',
      deliver() {
        throw new Error('the disk is full')
      },
      close() {},
    }
    const options = { mode: 'blocking-strict' as const, batch: { bufferSize: 1, maxSize: 1, maxWaitMs: 0 } }
    const sink = createSink({ clock, log: silentLogger, errors }, delivery, options)
    assert.deepEqual([sink.strict, sink.process(event, '')], [true, false])
    await sink.close()
  })
})

describe('audit: log', () => {
  const written: WrittenEvent = { event, text: '"level":"Metadata"}' }
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pilothouse-auditlog-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('writes the lines of one turn at once', async () => {
    const clock = createFakeClock(0)
    const writes: string[] = []
    const log = createLogDelivery(
      { clock, log: silentLogger, errors },
      { write: (text) => void writes.push(text), close() {} },
      { format: 'json' },
    )
    log.append?.(written)
    log.append?.(written)
    assert.equal(writes.length, 0)
    clock.advance(0)
    assert.equal(writes.length, 1)
    assert.equal(writes[0]?.split('\n')[0], '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata"}')
    log.append?.(written)
    await log.close()
    assert.equal(writes.length, 2)
  })

  it('closes full files, keeps the configured number, compressed', async () => {
    const clock = createFakeClock(Date.UTC(2030, 0, 2, 3, 4, 5, 678))
    const path = join(folder, 'sub', 'audit.log')
    const file = openLogFile({ clock, log: silentLogger }, path, {
      format: 'json',
      bytesMax: 10,
      backupsMax: 2,
      daysMax: 0,
      compress: true,
    })
    for (const text of ['first\n', 'second\n', 'third\n', 'fourth\n']) {
      void file.write(text)
      clock.advance(1)
    }
    await file.close()
    assert.equal(readFileSync(path, 'utf8'), 'fourth\n')
    assert.deepEqual(readdirSync(join(folder, 'sub')).sort(), [
      'audit-2030-01-02T03-04-05.680.log.gz',
      'audit-2030-01-02T03-04-05.681.log.gz',
      'audit.log',
    ])
    assert.equal(existsSync(path), true)
  })

  function linesIn(path: string): string[] {
    return readdirSync(path).flatMap((name) => {
      const bytes = readFileSync(join(path, name))
      const text = name.endsWith('.gz') ? gunzipSync(bytes) : bytes
      return text.toString().trimEnd().split('\n')
    })
  }

  for (const compress of [false, true])
    it(`files that fill within one millisecond keep every event (compress=${compress})`, async () => {
      const clock = createFakeClock(Date.UTC(2030, 0, 2, 3, 4, 5, 678))
      const log = join(folder, `burst-${compress}`)
      const options = { format: 'json', bytesMax: 1, backupsMax: 0, daysMax: 0, compress } as const
      const written: string[] = []
      // The second server starts within the same millisecond.
      for (const server of ['a', 'b']) {
        const file = openLogFile({ clock, log: silentLogger }, join(log, 'audit.log'), options)
        for (let index = 0; index < 24; index++) {
          written.push(`${server}${index}`)
          void file.write(`${server}${index}\n`)
        }
        await file.close()
      }
      assert.deepEqual(linesIn(log).sort(), written.sort())
    })

  it('a file of two processes is rotated by one, and the other follows', async () => {
    const log = join(folder, 'shared')
    const clock = createFakeClock(0)
    const [rotates, follows] = (['rotates', 'follows'] as const).map((shared) =>
      openLogFile({ clock, log: silentLogger }, join(log, 'audit.log'), {
        format: 'json',
        bytesMax: 20,
        backupsMax: 0,
        daysMax: 0,
        compress: false,
        shared,
      }),
    )
    assert(rotates && follows)
    for (let index = 0; index < 6; index++) {
      void follows.write(`follows${index}\n`)
      void rotates.write(`rotates${index}\n`)
    }
    void follows.write('last\n')
    await Promise.all([rotates.close(), follows.close()])
    assert.equal(readdirSync(log).length, 6)
    assert.equal(linesIn(log).length, 13)
    assert.match(readFileSync(join(log, 'audit.log'), 'utf8'), /^rotates5\nlast\n$/)
  })

  it('a rotation that fails loses no later event', async () => {
    const failures: string[] = []
    const path = join(folder, 'moved', 'audit.log')
    const file = openLogFile({ clock: createFakeClock(0), log: silentLogger }, path, {
      format: 'json',
      bytesMax: 5,
      backupsMax: 0,
      daysMax: 0,
      compress: false,
    })
    const write = (text: string): void => {
      try {
        void file.write(text)
      } catch (error) {
        failures.push(String(error))
      }
    }
    write('first\n')
    renameSync(join(folder, 'moved'), join(folder, 'away'))
    write('lost\n')
    renameSync(join(folder, 'away'), join(folder, 'moved'))
    write('third\n')
    rmSync(path)
    write('fourth\n')
    await file.close()
    assert.equal(failures.length, 1)
    assert.deepEqual(linesIn(join(folder, 'moved')).sort(), ['first', 'fourth'])
  })

  it('has the same content as a line of text', () => {
    assert.equal(
      legacyLine(event),
      '2030-01-01T00:00:00.000000Z AUDIT: id="id" stage="ResponseComplete" ip="1.2.3.4" method="get" user="ann" groups="\\"dev\\",\\"system:authenticated\\"" as="<self>" asgroups="<lookup>" user-agent="a \\"b\\"" namespace="<none>" uri="/x" response="200"',
    )
  })
})

describe('audit: what an event copies', () => {
  const huge = 'x'.repeat(1_000_000)
  const many = Array.from({ length: 50_000 }, (_, at) => `${at}${'y'.repeat(100)}`)

  function eventsOf(
    level: 'Metadata' | 'Request',
    act: (record: AuditRecord) => void,
    given: Partial<AuditedCall> = {},
  ) {
    const written: string[] = []
    const sink: AuditSink = {
      strict: false,
      process: (_event, text) => written.push(text) > 0,
      close: async () => {},
    }
    const { policy } = parsePolicy(
      `apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: ${level}}]`,
      scheme.objects,
    )
    const auditor = createAuditor({ clock: systemClock, metrics: silentMetrics, scheme, sinks: [sink] }, policy)
    const path = given.path ?? '/api/v1/namespaces/a/configmaps'
    const call = {
      auditId: '1',
      impersonationConstraint: '',
      method: 'POST',
      url: path,
      path,
      headers: {},
      remoteAddress: '::1',
      clientCertificates: () => undefined,
      user: ann,
      info: parseRequestInfo('POST', path, new URLSearchParams()),
      ...given,
    } as AuditedCall
    const record = auditor.begin(call) as AuditRecord
    act(record)
    record.finished({ user: call.user, status: 422, failure: undefined, crashed: false })
    return { written, longest: Math.max(...written.map(({ length }) => length)) }
  }

  const failure = (details: object, message = huge) => ({
    toStatus: () => ({ metadata: {}, status: 'Failure', message, reason: 'Invalid', details, code: 422 }),
  })
  const causes = many.map((message) => ({
    reason: 'FieldValueInvalid',
    message: message + huge.slice(0, 5000),
    field: message,
  }))
  const cases: [string, (record: AuditRecord) => void, Partial<AuditedCall>?][] = [
    [
      'the causes and the message of a refusal',
      (record) =>
        record.finished({ user: ann, status: 422, failure: failure({ name: huge, causes }) as never, crashed: false }),
    ],
    [
      'names in a body',
      (record) =>
        record.request({ metadata: { name: huge, namespace: huge, uid: huge, resourceVersion: huge } } as never),
    ],
    ['annotations', (record) => many.forEach((key) => record.annotate(key, huge))],
    ['the path', () => {}, { path: `/api/v1/namespaces/${huge}/${huge}/${huge}/${huge}` }],
    [
      'the user agent and the addresses',
      () => {},
      {
        headers: {
          'user-agent': huge,
          'x-forwarded-for': Array.from({ length: 50_000 }, () => '10.11.12.13').join(','),
        },
      },
    ],
    [
      'the user',
      () => {},
      {
        user: {
          name: huge,
          uid: huge,
          groups: many,
          extra: Object.fromEntries(many.slice(0, 5000).map((key) => [key, many.slice(0, 100)])),
        },
      },
    ],
  ]
  for (const [what, act, given] of cases)
    it(`is limited: ${what}`, () => {
      const { written, longest } = eventsOf('Metadata', act, given)
      assert.ok(longest < 2_000_000, `${longest} characters`)
      for (const text of written) JSON.parse(`{${text}`)
      assert.ok(written.some((text) => text.includes('...TRUNCATED')) || what === 'annotations' || longest < 10_000)
    })

  it('is whole where it is small', () => {
    const { written } = eventsOf('Metadata', (record) => {
      record.annotate('k', 'v')
      record.finished({
        user: ann,
        status: 422,
        failure: failure({ name: 'a', kind: 'ConfigMap', causes: [{ field: 'f', message: 'm' }] }, 'bad') as never,
        crashed: false,
      })
    })
    const event = JSON.parse(`{${written.find((text) => text.includes('ResponseComplete')) ?? ''}`)
    assert.equal(event.responseStatus.message, 'bad')
    assert.deepEqual(event.responseStatus.details, {
      name: 'a',
      kind: 'ConfigMap',
      causes: [{ field: 'f', message: 'm' }],
    })
    assert.deepEqual(event.annotations, { k: 'v' })
    assert.deepEqual(event.user, { username: 'ann', groups: ['dev', 'system:authenticated'] })
  })
})
