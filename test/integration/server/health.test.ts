import assert from 'node:assert/strict'
import type { HealthCheck, Server, ServerDependencies, ServerOptions } from '../../../lib/server/index.ts'
import { get1, run } from './support.ts'

describe('health pages', () => {
  let server: Server | undefined
  let broken = false
  const etcd: HealthCheck = {
    name: 'etcd',
    async check() {
      if (broken) await Promise.reject(new Error('connection refused at 10.0.0.1'))
    },
  }
  const ready: HealthCheck = { name: 'etcd-readiness', pages: ['readyz'], check() {} }
  beforeEach(() => {
    broken = false
  })
  afterEach(async () => server?.close())
  async function listen(
    dependencies: Partial<ServerDependencies> = {},
    options: Partial<ServerOptions> = {},
  ): Promise<number> {
    const running = await run(undefined, options, { healthChecks: [etcd, ready], ...dependencies })
    server = running.server
    return running.port
  }

  const healthy: { path: string; body: string }[] = [
    { path: '/healthz', body: 'ok' },
    { path: '/livez?verbose', body: '[+]ping ok\n[+]etcd ok\nlivez check passed\n' },
    {
      path: '/readyz?verbose=1',
      body: '[+]ping ok\n[+]etcd ok\n[+]etcd-readiness ok\n[+]shutdown ok\nreadyz check passed\n',
    },
    { path: '/livez?verbose&exclude=etcd', body: '[+]ping ok\n[+]etcd excluded: ok\nlivez check passed\n' },
    {
      path: '/healthz?verbose&exclude=nope&exclude=also',
      body: '[+]ping ok\n[+]etcd ok\nwarn: some health checks cannot be excluded: no matches for "also","nope"\nhealthz check passed\n',
    },
    { path: '/livez/ping', body: 'ok' },
    { path: '/readyz/etcd', body: 'ok' },
  ]
  for (const { path, body } of healthy) {
    it(`answers ${path} with 200`, async () => {
      const answer = await get1(await listen(), path)
      assert.deepEqual([answer.status, answer.body], [200, body])
      assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
      assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    })
  }

  const unhealthy: { path: string; status: number; body: string }[] = [
    {
      path: '/livez',
      status: 500,
      body: '[+]ping ok\n[-]etcd failed: reason withheld\nlivez check failed\n',
    },
    { path: '/livez?exclude=etcd', status: 200, body: 'ok' },
    { path: '/livez/etcd', status: 500, body: 'internal server error: connection refused at 10.0.0.1\n' },
    { path: '/livez/ping', status: 200, body: 'ok' },
  ]
  for (const { path, status, body } of unhealthy) {
    it(`answers ${path} with ${status} while the store is unavailable`, async () => {
      broken = true
      const answer = await get1(await listen(), path)
      assert.deepEqual([answer.status, answer.body], [status, body])
    })
  }

  it('answers 404 for an unknown check', async () => {
    const answer = await get1(await listen(), '/healthz/nope')
    assert.deepEqual([answer.status, answer.body], [404, '404 page not found\n'])
  })

  it('fails until post-start hooks are done; livez ignores that for its grace period', async () => {
    const hook = Promise.withResolvers<void>()
    const postStartHooks = [{ name: 'bootstrap', run: () => hook.promise }]
    const port = await listen({ postStartHooks }, { livezGracePeriodMs: 60_000 })
    assert.match((await get1(port, '/readyz')).body, /\[-\]poststarthook\/bootstrap failed: reason withheld/)
    assert.match((await get1(port, '/livez?verbose')).body, /\[\+\]poststarthook\/bootstrap ok/)
    assert.equal((await get1(port, '/readyz/poststarthook/bootstrap')).status, 500)
    hook.resolve()
    await server?.started
    assert.equal((await get1(port, '/readyz')).body, 'ok')
    await server?.close()
    const strict = await listen({ postStartHooks: [{ name: 'slow', run: () => new Promise(() => {}) }] })
    assert.equal((await get1(strict, '/livez')).status, 500)
  })
})
