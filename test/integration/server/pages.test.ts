import assert from 'node:assert/strict'
import { createMetrics } from '../../../lib/observe/index.ts'
import type { Server, ServerDependencies, ServerOptions } from '../../../lib/server/index.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { get1, get2, run, small } from './support.ts'

describe('pages beside the resources', () => {
  let server: Server | undefined
  afterEach(async () => server?.close())
  async function listen(
    dependencies: Partial<ServerDependencies>,
    options: Partial<ServerOptions> = {},
  ): Promise<number> {
    const running = await run(undefined, options, dependencies)
    server = running.server
    return running.port
  }

  it('/ lists fixed paths and those of the API, sorted, as the stock server prints them', async () => {
    const port = await listen(
      { routes: [{ pattern: '/apis/:group', handle() {} }], listPaths: () => ['/apis/apps', '/api', '/api'] },
      { profiling: false },
    )
    const pages = ['healthz', 'livez', 'readyz'].flatMap((page) => [`/${page}`, `/${page}/ping`])
    const paths = ['/api', '/apis/apps', ...pages, '/readyz/shutdown']
    assert.equal((await get1(port, '/')).body, JSON.stringify({ paths }, null, 2))
  })

  it('passes parameters of a pattern to its handler', async () => {
    const seen: object[] = []
    const handle: ServerDependencies['routes'][number]['handle'] = (call, parameters) => {
      seen.push(parameters)
      return call.responder.send(200, {})
    }
    const port = await listen({
      routes: [
        { pattern: '/apis/:group/:version', handle },
        { pattern: '/openapi/v3/*', handle },
      ],
    })
    for (const path of ['/apis/apps/v1', '/apis/apps/v1/', '/openapi/v3/apis/apps/v1', '/openapi/v3/'])
      assert.equal((await get1(port, path)).status, 200, path)
    for (const path of ['/apis/apps/v1//', '/apis//v1', '/apis/apps']) {
      assert.equal((await get1(port, path)).status, 404, path)
    }
    const appsV1 = { group: 'apps', version: 'v1' }
    assert.deepEqual(seen, [appsV1, appsV1, { '*': 'apis/apps/v1' }, { '*': '' }])
  })

  it('treats a path that begins with two slashes as another one', async () => {
    const port = await listen({ routes: [{ pattern: '/apis', handle: (call) => call.responder.send(200, {}) }] })
    for (const path of ['//', '//apis', '//api/v1/pods']) {
      const { status, body } = await get1(port, path)
      assert.deepEqual([status, body], [404, '404 page not found\n'], path)
    }
  })

  it('/version is indented JSON', async () => {
    const answer = await get2(await listen({}), '/version')
    assert.equal(answer.body, '{\n  "major": "1",\n  "minor": "33"\n}')
    assert.equal(answer.headers['content-type'], 'application/json')
  })

  it('/debug/flags/v sets the verbosity', async () => {
    const levels: number[] = []
    const port = await listen({ setVerbosity: (level) => void levels.push(level) })
    const answer = await get1(port, '/debug/flags/v', { method: 'PUT', body: '5' })
    assert.equal(answer.body, 'successfully set klog.logging.verbosity to 5')
    assert.equal((await get1(port, '/debug/flags/v', { method: 'PUT', body: 'x' })).status, 400)
    assert.deepEqual(levels, [5])
  })

  describe('/metrics', () => {
    async function scrape(port: number): Promise<string> {
      return (await get1(port, '/metrics')).body
    }
    /** The value of a series, its labels in any order; NaN without it. */
    const value = (text: string, series: string): number => {
      const sorted = (line: string): string =>
        line.replace(/\{(.*)\}/, (_all, labels: string) => labels.split(',').sort().join())
      const found = text.split('\n').find((line) => sorted(line).startsWith(`${sorted(series)} `))
      return Number(found?.slice(found.lastIndexOf(' ')) ?? 'NaN')
    }

    it('counts requests with the labels that dashboards know', async () => {
      const metrics = createMetrics()
      const port = await listen({ metrics, exposition: async () => metrics.exposition() })
      const pods = '/api/v1/namespaces/default/pods'
      await get1(port, `${pods}/web`)
      await get1(port, `${pods}/web`)
      await get1(port, pods)
      await get1(port, '/api/v1/pods')
      await get1(port, `${pods}?dryRun=All`, { method: 'POST' })
      await get1(port, '/apis/apps/v1/namespaces/a/deployments/web/scale', {
        method: 'PATCH',
        headers: { 'content-type': 'application/apply-patch+yaml' },
      })
      await get1(port, '/livez')
      const text = await scrape(port)
      const cases: [string, string, string, string, string, string, string, string, number][] = [
        // verb, dry run, group, version, resource, subresource, scope, component, count
        ['GET', '', '', 'v1', 'pods', '', 'resource', 'apiserver', 2],
        ['LIST', '', '', 'v1', 'pods', '', 'namespace', 'apiserver', 1],
        ['LIST', '', '', 'v1', 'pods', '', 'cluster', 'apiserver', 1],
        ['POST', 'All', '', 'v1', 'pods', '', 'resource', 'apiserver', 1],
        ['APPLY', '', 'apps', 'v1', 'deployments', 'scale', 'resource', 'apiserver', 1],
        ['GET', '', '', '', '', '/livez', '', '', 1],
      ]
      for (const [verb, dryRun, group, version, resource, subresource, scope, component, count] of cases) {
        const labels = `verb="${verb}",dry_run="${dryRun}",group="${group}",version="${version}",resource="${resource}",subresource="${subresource}",scope="${scope}",component="${component}"`
        assert.equal(value(text, `apiserver_request_total{${labels},code="200"}`), count, labels)
        assert.equal(value(text, `apiserver_request_duration_seconds_count{${labels}}`), count)
      }
      const read =
        'verb="GET",group="",version="v1",resource="pods",subresource="",scope="resource",component="apiserver"'
      assert.equal(value(text, `apiserver_response_sizes_sum{${read}}`), 2 * small.length)
      assert.equal(value(text, `apiserver_request_sli_duration_seconds_count{${read}}`), 2)
      assert.equal(value(text, 'kubernetes_healthchecks_total{name="ping",type="livez",status="success"}'), 1)
      assert.ok(value(text, 'apiserver_request_filter_duration_seconds_count{filter="authorization"}') >= 7)
    })

    it('has the results of health checks on a page of their own', async () => {
      const metrics = createMetrics({ runtime: true })
      const port = await listen({
        metrics,
        exposition: async (_accept, names) => metrics.exposition('text', names),
      })
      await get1(port, '/readyz')
      const { status, body } = await get1(port, '/metrics/slis')
      assert.equal(status, 200)
      const families = [...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
      assert.deepEqual(families, ['kubernetes_healthcheck', 'kubernetes_healthchecks_total'])
      assert.equal(value(body, 'kubernetes_healthcheck{name="ping",type="readyz"}'), 1)
    })

    it('has the metrics that are asked for by name, those of the process among them', async () => {
      const metrics = createMetrics({ runtime: true })
      for (const name of ['first', 'second', 'third']) metrics.gauge({ name, help: 'A level.' }).set([], 1)
      const port = await listen({ metrics, exposition: async (_accept, names) => metrics.exposition('text', names) })
      const asked = 'name[]=first&name%5B%5D=third&name[]=process_open_fds&name[]=unknown'
      const { body } = await get1(port, `/metrics?${asked}`)
      const families = [...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
      assert.deepEqual(families, ['first', 'third', 'process_open_fds'])
      assert.equal((await get1(port, `/metrics?${'name[]=a&'.repeat(101)}`)).status, 400)
    })

    it('has the sums and counts of a histogram without its buckets, where those are asked for', async () => {
      const metrics = createMetrics()
      const times = metrics.histogram({ name: 'time', help: 'A time.', labels: ['a'], buckets: [1, 2] })
      times.observe(['x'], 1.5)
      times.observe(['x'], 5)
      const port = await listen({ metrics, exposition: async (_accept, names) => metrics.exposition('text', names) })
      const linesOf = async (...names: string[]): Promise<string[]> => {
        const { body } = await get1(port, `/metrics?${names.map((name) => `name[]=${name}`).join('&')}`)
        return body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
      }
      assert.deepEqual(await linesOf('time_count'), ['time_count{a="x"} 2'])
      assert.deepEqual(await linesOf('time_count', 'time_sum'), ['time_sum{a="x"} 6.5', 'time_count{a="x"} 2'])
      assert.equal((await linesOf('time_count', 'time')).length, 5)
      assert.deepEqual(await linesOf('time_bucket'), [])
    })

    for (const profiling of [true, false])
      it(`${profiling ? 'counts from zero after' : 'ignores'} a DELETE where profiling is ${profiling ? 'on' : 'off'}`, async () => {
        const metrics = createMetrics()
        const level = metrics.gauge({ name: 'level', help: 'What is.' })
        level.set([], 3)
        const port = await listen(
          {
            metrics,
            exposition: async (_accept, names) => metrics.exposition('text', names),
            resetMetrics: (names) => metrics.reset(names),
          },
          { profiling },
        )
        await get1(port, '/api/v1/pods')
        await get1(port, '/livez')
        const list =
          'apiserver_request_total{verb="LIST",dry_run="",group="",version="v1",resource="pods",subresource="",scope="cluster",component="apiserver",code="200"}'
        const checks = 'kubernetes_healthchecks_total{name="ping",type="livez",status="success"}'
        const health = await get1(port, '/metrics/slis', { method: 'DELETE' })
        assert.equal(health.body === 'metrics reset\n', profiling)
        const between = await scrape(port)
        assert.deepEqual([value(between, list), value(between, checks)], [1, profiling ? 0 : 1])
        const all = await get1(port, '/metrics', { method: 'DELETE' })
        assert.equal(all.status, 200)
        assert.equal(all.body === 'metrics reset\n', profiling)
        const after = await scrape(port)
        assert.deepEqual([value(after, list), value(after, 'level')], [profiling ? 0 : 1, 3])
      })

    it('counts watches while they are open', async () => {
      const metrics = createMetrics()
      let end = (): void => {}
      const port = await listen({
        metrics,
        exposition: async () => metrics.exposition(),
        resources: {
          handle(call) {
            const stream = call.responder.stream(200, {})
            end = () => stream.end()
          },
        },
      })
      const watching = get1(port, '/api/v1/pods?watch=1')
      const labels =
        'apiserver_longrunning_requests{verb="WATCH",group="",version="v1",resource="pods",subresource="",scope="cluster",component="apiserver"}'
      await eventuallyEquals(async () => value(await scrape(port), labels), 1, 'the watch counts')
      end()
      await watching
      await eventuallyEquals(async () => value(await scrape(port), labels), 0, 'it no longer counts')
    })

    it('counts timeouts, refusals and broken handshakes', async () => {
      const metrics = createMetrics()
      const port = await listen({
        metrics,
        exposition: async () => metrics.exposition(),
        resources: {
          handle: async (call) =>
            new Promise((_resolve, reject) => call.signal.addEventListener('abort', () => reject(new Error('late')))),
        },
      })
      await get1(port, '/api/v1/pods?timeout=100ms')
      await assert.rejects(
        new Promise((resolve, reject) => {
          void import('node:net').then(({ createConnection }) => {
            const socket = createConnection({ host: '127.0.0.1', port }, () => socket.end('GET / HTTP/1.1\r\n\r\n'))
            socket.on('close', () => reject(new Error('closed')))
            socket.on('error', () => {})
            socket.on('data', () => {})
            void resolve
          })
        }),
      )
      const handshakes = 'apiserver_tls_handshake_errors_total'
      await eventuallyEquals(async () => value(await scrape(port), handshakes), 1, 'the broken handshake')
      const text = await scrape(port)
      const labels =
        'verb="LIST",group="",version="v1",resource="pods",subresource="",scope="cluster",component="apiserver"'
      assert.equal(value(text, `apiserver_request_terminations_total{${labels},code="504"}`), 1)
      assert.equal(value(text, 'apiserver_request_post_timeout_total{source="timeout-handler",status="error"}'), 1)
    })

    it('keeps client-chosen words out of its labels', async () => {
      const metrics = createMetrics()
      const port = await listen({
        metrics,
        exposition: async () => metrics.exposition(),
        resources: {
          handle: (call) => call.responder.send(404, {}),
          serves: (info) => info.resource === 'pods',
        },
      })
      for (let at = 0; at < 20; at++) await get1(port, `/api/v1/random${at}`)
      await get1(port, '/api/v1/pods')
      await get1(port, '/nope', { method: 'BREW' }).catch(() => {})
      const text = await scrape(port)
      assert.doesNotMatch(text, /random|nope|BREW/)
      assert.match(text, /apiserver_request_total\{code="404",.*resource="other",.*verb="LIST",.*\} 20\n/)
    })

    it('reports the most requests that were in flight', async () => {
      const metrics = createMetrics()
      const atOnce = 5
      let inFlight = 0
      let allBegun = Promise.withResolvers<void>()
      const port = await listen({
        metrics,
        exposition: async () => metrics.exposition(),
        resources: {
          async handle(call) {
            if (++inFlight === atOnce) allBegun.resolve()
            await allBegun.promise
            if (--inFlight === 0) allBegun = Promise.withResolvers()
            await call.responder.send(200, {})
          },
        },
      })
      // The most of the last whole second: requests go on until there is one.
      const series = 'apiserver_current_inflight_requests{request_kind="readOnly"}'
      await eventually(async () => {
        await Promise.all(Array.from({ length: atOnce }, () => get1(port, '/api/v1/pods')))
        return value(await scrape(port), series) === atOnce
      }, 'requests in flight')
    })
  })
})
