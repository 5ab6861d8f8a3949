import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:https'
import { createFakeClock, type Logger, silentLogger, silentMetrics, systemClock } from '../../../lib/base/index.ts'
import { createFairness } from '../../../lib/fairness/index.ts'
import { StatusError, statusErrors } from '../../../lib/object/index.ts'
import type { Call } from '../../../lib/request/index.ts'
import type {
  EncodedStatus,
  Server,
  ServerDependencies,
  ServerFilter,
  ServerOptions,
} from '../../../lib/server/index.ts'
import { StoreError } from '../../../lib/storage/index.ts'
import { eventuallyEquals } from '../../support/eventually.ts'
import { defaultLevels, defaultSchemas } from '../../support/fairnesskit.ts'
import { alice, get1, get2, on2, protocols, run, session2, small } from './support.ts'

describe('the chain', () => {
  let server: Server | undefined
  afterEach(async () => {
    await server?.close()
    server = undefined
  })
  async function listen(
    handle?: (call: Call) => void | Promise<void>,
    options?: Partial<ServerOptions>,
    dependencies?: Partial<ServerDependencies>,
  ): Promise<number> {
    const running = await run(handle, options, dependencies)
    server = running.server
    return running.port
  }
  const pod = '/api/v1/namespaces/default/pods/web'

  for (const { protocol, get } of protocols) {
    describe(protocol, () => {
      it('passes a resource request to the endpoints with its info, user, query, headers and body', async () => {
        let seen: Call | undefined
        let body = ''
        let address = ''
        const port = await listen(async (call) => {
          seen = call
          address = call.remoteAddress
          body = Buffer.from(await call.body()).toString()
          await call.responder.send(201, { 'content-type': 'application/json' }, small)
        })
        const answer = await get(port, '/apis/apps/v1/namespaces/a%2Db/deployments?dryRun=All&x=a%20b', {
          method: 'POST',
          headers: { 'x-one': '1', 'content-type': 'application/json' },
          body: '{"a":1}',
        })
        assert.equal(answer.status, 201)
        assert.equal(answer.body, small.toString())
        assert.equal(answer.headers['content-length'], String(small.length))
        assert.equal(answer.headers['cache-control'], 'no-cache, private')
        assert.match(String(answer.headers['audit-id']), /^[0-9a-f-]{36}$/)
        assert.deepEqual(
          [seen?.info.group, seen?.info.resource, seen?.info.namespace, seen?.info.verb],
          ['apps', 'deployments', 'a-b', 'create'],
        )
        assert.equal(seen?.path, '/apis/apps/v1/namespaces/a-b/deployments')
        assert.equal(seen?.query.get('x'), 'a b')
        assert.equal(seen?.headers['x-one'], '1')
        assert.equal(seen?.user.name, 'alice')
        assert.equal(address, '127.0.0.1')
        assert.equal(seen?.httpVersion, protocol === 'HTTP/2' ? '2' : '1.1')
        assert.equal(body, '{"a":1}')
      })

      it('sends the bytes of an answer as they are, with their number, whatever their length and content', async () => {
        // Short answers are written in another way than longer ones.
        for (const length of [0, 1, 255, 1536, 1537, 5000, 70_000]) {
          const body = Buffer.from(Array.from({ length }, (_, at) => (at * 7 + (at >> 8)) % 256))
          const port = await listen((call) => call.responder.send(200, { 'x-name': '\u00e9' }, body))
          const { bytes, headers } = await get(port, pod)
          assert.deepEqual([headers['content-length'], bytes.equals(body)], [String(length), true], `${length} bytes`)
          assert.equal((await get(port, pod, { method: 'HEAD' })).bytes.length, 0)
          await server?.close()
        }
      })

      it('keeps the values of a repeated header apart', async () => {
        let values: readonly string[] = []
        const port = await listen((call) => {
          values = call.headerValues?.('x-group') ?? []
          return call.responder.send(200, {})
        })
        await get(port, pod, { headers: { 'X-Group': ['a, system:masters', 'b'] } })
        assert.deepEqual(values, ['a, system:masters', 'b'])
      })

      it('answers a thrown StatusError with its code, body and Retry-After', async () => {
        const port = await listen(() => {
          throw statusErrors.tooManyRequests('later', 7)
        })
        const answer = await get(port, pod)
        assert.equal(answer.status, 429)
        assert.equal(answer.headers['retry-after'], '7')
        assert.equal(
          answer.body,
          '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"later","reason":"TooManyRequests","details":{"retryAfterSeconds":7},"code":429}\n',
        )
      })

      it('hides an unexpected error from the client and logs it', async () => {
        const errors: unknown[] = []
        const log: Logger = { ...silentLogger, error: (_message, fields) => void errors.push(fields?.['error']) }
        const port = await listen(async () => Promise.reject(new Error('password is hunter2')), {}, { log })
        const answer = await get(port, pod)
        const status: unknown = JSON.parse(answer.body)
        assert.equal(answer.status, 500)
        assert.equal((status as { reason: string }).reason, 'InternalError')
        assert.doesNotMatch(answer.body, /hunter2/)
        assert.match(answer.body, new RegExp(String(answer.headers['audit-id'])))
        assert.match(String(errors[0]), /hunter2/)
      })

      for (const [when, fails] of [
        ['at once', () => assert.fail()],
        ['later', async () => Promise.reject(new Error('later'))],
      ] as const)
        it(`breaks off, and keeps serving, when an error ${when} has headers that can't be sent`, async () => {
          const encodeStatus = (): EncodedStatus => ({ contentType: 'a\nb', body: small })
          const port = await listen(
            (call) => (call.query.has('fail') ? fails() : call.responder.send(200, {})),
            {},
            {
              encodeStatus,
            },
          )
          await assert.rejects(get(port, `${pod}?fail`))
          assert.equal((await get(port, pod)).status, 200)
        })

      it('answers 500 when a handler ends without an answer', async () => {
        const port = await listen(() => {})
        assert.equal((await get(port, pod)).status, 500)
      })

      it('breaks the answer off when a handler fails after it has begun', async () => {
        const port = await listen((call) => {
          call.responder.stream(200, {}).write(Buffer.from('begun'))
          throw new Error('too late')
        })
        await assert.rejects(get(port, pod))
      })

      it('sends warnings quoted, once each, as UTF-8', async () => {
        const port = await listen((call) => {
          call.warnings.add('unknown field "spec.x"')
          call.warnings.add('unknown field "spec.x"')
          call.warnings.add('größer\n')
          return call.responder.send(200, {}, small)
        })
        const { headers } = await get(port, pod)
        const text = Buffer.from(String(headers['warning']), 'latin1').toString()
        assert.equal(text, '299 - "unknown field \\"spec.x\\"", 299 - "größer "')
      })

      it('answers 504 at the deadline and drops what the handler sends later', async () => {
        let late: (() => void) | undefined
        const port = await listen(async (call) => {
          await once(call.signal, 'abort')
          await call.responder.send(200, {}, small)
          late?.()
        })
        const settled = new Promise<void>((resolve) => (late = resolve))
        const answer = await get(port, `${pod}?timeout=150ms`)
        assert.equal(answer.status, 504)
        assert.match(answer.body, /"Timeout: request did not complete within the allotted timeout"/)
        await settled
      })

      it('answers 401 without details to unknown users', async () => {
        for (const outcome of [{ outcome: 'none' }, { outcome: 'invalid', reason: 'expired' }] as const) {
          const port = await listen(
            undefined,
            {},
            { authenticator: { name: 'x', authenticate: async () => Promise.resolve(outcome) } },
          )
          const answer = await get(port, pod)
          assert.equal(answer.status, 401)
          assert.equal(
            answer.body,
            '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}\n',
          )
          assert.equal(answer.headers['www-authenticate'], undefined)
          await server?.close()
        }
      })

      it('answers 404 in plain text for an unknown path', async () => {
        const answer = await get(await listen(), '/nope')
        assert.equal(answer.status, 404)
        assert.equal(answer.body, '404 page not found\n')
        assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
        assert.equal(answer.headers['x-content-type-options'], 'nosniff')
      })

      it('refuses methods that a fixed route does not allow', async () => {
        const answer = await get(await listen(), '/version', { method: 'POST' })
        assert.equal(answer.status, 405)
        assert.match(answer.body, /the server does not allow this method on the requested resource/)
      })

      it('streams: chunks arrive as they are written, the end is clean, and closing is noticed', async () => {
        let closed: (() => void) | undefined
        const noticed = new Promise<void>((resolve) => (closed = resolve))
        const port = await listen((call) => {
          const stream = call.responder.stream(200, { 'content-type': 'application/json' })
          stream.onClose(() => closed?.())
          stream.write(Buffer.from('one\n'))
          setTimeout(() => {
            stream.write(Buffer.from('two\n'))
            stream.end()
          }, 20)
        })
        const answer = await get(port, '/api/v1/pods?watch=1')
        assert.equal(answer.body, 'one\ntwo\n')
        await noticed
      })

      it('streams parts in their order, empty and long ones among them', async () => {
        const sizes = [3, 0, 65_530, 65_536, 1, 200_000, 9]
        const parts = sizes.map((size, index) => Buffer.alloc(size, 97 + index))
        const port = await listen((call) => {
          const stream = call.responder.stream(200, { 'content-type': 'application/json' })
          stream.write([])
          stream.write(parts)
          stream.write(parts.slice(0, 2))
          stream.write([small])
          stream.end()
        })
        const { body } = await get(port, '/api/v1/pods?watch=1')
        assert.ok(body === `${Buffer.concat(parts).toString()}aaa${small.toString()}`, `${body.length} other bytes`)
      })
    })
  }

  const denials: { path: string; method?: string; text: string }[] = [
    { path: '/metrics', text: 'forbidden: User \\"alice\\" cannot get path \\"/metrics\\"' },
    {
      path: '/apis/apps/v1/namespaces/a/deployments/web/scale',
      text: 'deployments.apps \\"web\\" is forbidden: User \\"alice\\" cannot get resource \\"deployments/scale\\" in API group \\"apps\\" in the namespace \\"a\\": because',
    },
    {
      path: '/api/v1/nodes',
      text: 'nodes is forbidden: User \\"alice\\" cannot list resource \\"nodes\\" in API group \\"\\" at the cluster scope: because',
    },
    { path: '/%3Cb%3E%26', text: 'cannot get path \\"/\\u0026lt;b\\u0026gt;\\u0026amp;\\"' },
  ]
  for (const { path, text } of denials) {
    it(`answers 403 for ${path} with the stock text`, async () => {
      const reason = path.startsWith('/api') ? 'because' : ''
      const port = await listen(
        undefined,
        {},
        { authorizer: { name: 'no', authorize: () => ({ decision: 'no-opinion', reason }) } },
      )
      const answer = await get1(port, path)
      assert.equal(answer.status, 403)
      assert.ok(answer.body.includes(text), answer.body)
      assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    })
  }

  it('answers 500 when an authorizer failed, also one whose failure denies, unless another allowed', async () => {
    const error = new Error('webhook at https://user:password@example.com is down')
    for (const [decision, status] of [
      ['no-opinion', 500],
      ['deny', 500],
      ['allow', 200],
    ] as const) {
      const authorize = async () => Promise.resolve({ decision, reason: '', error })
      const port = await listen(undefined, {}, { authorizer: { name: 'down', authorize } })
      const answer = await get1(port, `${pod}?a=<b>`)
      assert.equal(answer.status, status)
      assert.doesNotMatch(answer.body, /password/)
      if (status === 500) assert.match(answer.body, /^Internal Server Error: "\/api\/v1\/.*\?a=&lt;b&gt;": /)
      await server?.close()
    }
  })

  it('keeps the audit id that the client sent, up to 64 characters', async () => {
    const port = await listen()
    assert.equal((await get1(port, pod, { headers: { 'audit-id': 'mine' } })).headers['audit-id'], 'mine')
    const long = await get1(port, pod, { headers: { 'audit-id': 'x'.repeat(100) } })
    assert.equal(String(long.headers['audit-id']).length, 64)
    // What is cut off must not leave a space at the end: no header may have one there (RFC 9113, section 8.2.1).
    const words = await get2(port, pod, { headers: { 'audit-id': `${'x'.repeat(60)}    y` } })
    assert.equal(words.headers['audit-id'], 'x'.repeat(60))
  })

  it('hides the credentials from everything after authentication', async () => {
    let seen: string | undefined = 'nothing'
    const port = await listen((call) => {
      seen = call.headers['authorization']
      return call.responder.send(200, {})
    })
    await get1(port, pod, { headers: { authorization: 'Bearer secret' } })
    assert.equal(seen, undefined)
  })

  it('runs audit, impersonation and fairness in their slots', async () => {
    const order: string[] = []
    const step =
      (name: string): ServerFilter =>
      (call, next) => {
        order.push(`${name} ${call.user.name}`)
        return next(call)
      }
    const impersonate: ServerFilter = (call, next) => {
      order.push('impersonate')
      call.user = { ...alice, name: 'bob' }
      return next(call)
    }
    const fairness = createFairness(
      { clock: systemClock, metrics: silentMetrics, stored: () => ({ objects: 0, bytes: 0 }) },
      { seats: 600 },
    )
    fairness.configure(defaultSchemas(), defaultLevels())
    const port = await listen(
      undefined,
      {},
      {
        audit: { filter: step('audit'), unauthenticated() {} },
        impersonate,
        fairness: {
          ...fairness,
          start(request) {
            order.push(`fairness ${request.user.name}`)
            return fairness.start(request)
          },
        },
        authorizer: {
          name: 'see',
          authorize({ user }) {
            order.push(`authorize ${user.name}`)
            return { decision: 'allow', reason: '' }
          },
        },
      },
    )
    await get1(port, pod)
    assert.deepEqual(order, ['audit alice', 'impersonate', 'fairness bob', 'authorize bob'])
    await fairness.close()
  })

  it('answers 429 beyond the in-flight limit, reads and writes apart, masters and watches exempt', async () => {
    const release = Promise.withResolvers<void>()
    let waiting = 0
    const port = await listen(
      async (call) => {
        if (call.info.verb === 'watch') {
          call.responder.stream(200, {}).end()
          return
        }
        waiting++
        await release.promise
        await call.responder.send(200, {})
      },
      { maxRequestsInFlight: 1, maxMutatingRequestsInFlight: 1 },
      {
        authenticator: {
          name: 'by agent',
          authenticate: (call) => ({
            outcome: 'authenticated',
            user: call.headers['user-agent'] === 'master' ? { ...alice, groups: ['system:masters'] } : alice,
          }),
        },
      },
    )
    const read = get1(port, pod)
    const write = get1(port, pod, { method: 'DELETE' })
    await eventuallyEquals(() => waiting, 2, 'both are at work')
    for (const method of ['GET', 'PUT']) {
      const refused = await get1(port, pod, { method })
      assert.equal(refused.status, 429)
      assert.equal(refused.body, 'Too many requests, please try again later.\n')
      assert.equal(refused.headers['retry-after'], '1')
    }
    assert.equal((await get1(port, '/api/v1/pods?watch=1')).status, 200)
    const master = get1(port, pod, { headers: { 'user-agent': 'master' } })
    await eventuallyEquals(() => waiting, 3, 'the third is at work')
    release.resolve()
    assert.deepEqual(
      (await Promise.all([read, write, master])).map(({ status }) => status),
      [200, 200, 200],
    )
    assert.equal((await get1(port, pod)).status, 200)
  })

  it('refuses an invalid timeout', async () => {
    const answer = await get1(await listen(), `${pod}?timeout=x`)
    assert.equal(answer.status, 400)
    assert.match(answer.body, /invalid timeout specified in the request URL - time: invalid duration \\"x\\"/)
  })

  it('sets HSTS and CORS headers for allowed origins', async () => {
    const port = await listen(undefined, {
      strictTransportSecurityDirectives: ['max-age=31536000', 'includeSubDomains'],
      corsAllowedOrigins: ['https://[a-z]+\\.example\\.com$'],
    })
    const allowed = await get1(port, pod, { headers: { origin: 'https://ui.example.com' } })
    assert.equal(allowed.headers['strict-transport-security'], 'max-age=31536000; includeSubDomains')
    assert.equal(allowed.headers['access-control-allow-origin'], 'https://ui.example.com')
    const other = await get1(port, pod, { headers: { origin: 'https://ui.example.com.evil' } })
    assert.equal(other.headers['access-control-allow-origin'], undefined)
    const preflight = await get1(port, pod, { method: 'OPTIONS', headers: { origin: 'https://ui.example.com' } })
    assert.equal(preflight.status, 204)
    assert.match(String(preflight.headers['access-control-allow-methods']), /PATCH/)
  })

  it('sends GOAWAY to an HTTP/2 client at --goaway-chance, and still answers it', async () => {
    const port = await listen(undefined, { goawayChance: 0.02 }, { random: always })
    const session = session2(port)
    const gone = once(session, 'goaway')
    assert.equal((await on2(session, pod)).status, 200)
    await gone
    session.destroy()
  })

  const storeErrors: { code: ConstructorParameters<typeof StoreError>[0]; status: number; text: string }[] = [
    { code: 'unavailable', status: 500, text: 'The get operation against pods could not be completed at this time' },
    { code: 'too-large', status: 500, text: '"etcdserver: request is too large"' },
    { code: 'no-space', status: 500, text: 'etcdserver: mvcc: database space exceeded' },
    { code: 'compacted', status: 410, text: '"Expired"' },
    { code: 'future-revision', status: 504, text: 'Too large resource version' },
    { code: 'aborted', status: 504, text: 'context deadline exceeded' },
    { code: 'closed', status: 503, text: 'apiserver is shutting down' },
    { code: 'internal', status: 500, text: '"InternalError"' },
  ]
  for (const { code, status, text } of storeErrors) {
    it(`answers ${status} for a store error of code ${code}`, async () => {
      const port = await listen(() => {
        throw new StoreError(code, 'secret detail')
      })
      const answer = await get1(port, pod)
      assert.equal(answer.status, status)
      assert.ok(answer.body.includes(text), answer.body)
      assert.doesNotMatch(answer.body, /secret/)
    })
  }

  it('encodes errors in a format that the client accepts', async () => {
    const port = await listen(
      () => {
        throw new StatusError(404, 'NotFound', 'gone')
      },
      {},
      {
        encodeStatus: (status, accept) => ({
          contentType: String(accept),
          body: Buffer.from(`encoded ${String(status.message)}`),
        }),
      },
    )
    const answer = await get1(port, pod, { headers: { accept: 'application/x-test' } })
    assert.equal(answer.headers['content-type'], 'application/x-test')
    assert.equal(answer.body, 'encoded gone')
  })

  it('logs requests at --v=3 without their headers', async () => {
    const lines: string[] = []
    const log: Logger = {
      ...silentLogger,
      enabled: (level) => level <= 3,
      verbose: (_level, message, fields) => void lines.push(JSON.stringify({ message, ...fields })),
    }
    const port = await listen(undefined, {}, { log })
    await get2(port, pod, { headers: { 'user-agent': 'kubectl', authorization: 'Bearer secret' } })
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', /"method":"GET".*"uri":"\/api\/v1.*"code":200.*"userAgent":"kubectl"/)
    assert.doesNotMatch(lines[0] ?? '', /secret/)
  })

  for (const { protocol } of protocols) {
    it(`${protocol}: aborts the signal and the body of a call whose client has left, and never of an answered one`, async () => {
      const left = Promise.withResolvers<unknown>()
      const bodies = Promise.withResolvers<unknown>()
      const arrived = Promise.withResolvers<void>()
      let answered: AbortSignal | undefined
      const port = await listen(async (call) => {
        if (call.method === 'GET') {
          answered = call.signal
          return call.responder.send(200, {}, small)
        }
        call.signal.addEventListener('abort', () => left.resolve(call.signal.reason))
        arrived.resolve()
        await call.body().catch((error: unknown) => {
          bodies.resolve(error)
          throw error
        })
      })
      await (protocol === 'HTTP/2' ? get2 : get1)(port, pod)
      if (protocol === 'HTTP/2') {
        const session = session2(port)
        const stream = session.request({ ':path': pod, ':method': 'POST' })
        stream.on('error', () => {})
        stream.write('{')
        await arrived.promise
        session.destroy()
      } else {
        const outgoing = request({
          host: '127.0.0.1',
          port,
          path: pod,
          method: 'POST',
          rejectUnauthorized: false,
          agent: false,
        })
        outgoing.on('error', () => {})
        outgoing.write('{')
        await arrived.promise
        outgoing.destroy()
      }
      assert.equal(String(await left.promise), 'ClientGone: the client went away')
      assert.equal(String(await bodies.promise), 'ClientGone: the client went away')
      assert.equal(answered?.aborted, false)
    })
  }

  it('uses no clock but the given one: a fake clock starts it', async () => {
    const port = await listen(undefined, {}, { clock: createFakeClock(1000) })
    assert.equal((await get1(port, pod)).status, 200)
  })
})

const always = { bytes: () => new Uint8Array(1), uuid: () => 'id', fraction: () => 0, below: () => 0 }
