import assert from 'node:assert/strict'
import http2 from 'node:http2'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { ask } from '../../support/plane.ts'

describe('labels of metrics', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane()
  })
  after(async () => {
    await plane.stop()
  })
  const scrape = async (): Promise<string> => (await ask(plane.url, '/metrics', { token: plane.adminToken })).text

  /** One anonymous request each, over one connection. */
  async function send(requests: readonly { method?: string; path: string; headers?: Record<string, string> }[]) {
    const session = http2.connect(plane.url, { rejectUnauthorized: false })
    const one = async ({ method = 'GET', path, headers = {} }: (typeof requests)[number]): Promise<void> =>
      await new Promise((resolve, reject) => {
        const stream = session.request({ ':method': method, ':path': path, ...headers })
        stream.on('error', reject)
        stream.on('close', resolve)
        stream.resume()
        stream.end()
      })
    for (let at = 0; at < requests.length; at += 100) await Promise.all(requests.slice(at, at + 100).map(one))
    session.close()
  }

  it('contain nothing that clients write into paths, queries and headers', async () => {
    const strange = (at: number): { method?: string; path: string; headers?: Record<string, string> }[] => [
      { path: `/api/v1/namespaces/a/pods/b/evil${at}` },
      { path: `/api/v1/namespaces/a/pods/b/log/evil${at}` },
      { path: `/api/v1/namespaces/evil${at}/pods` },
      { path: `/api/v1/evil${at}` },
      { path: `/api/evil${at}/pods` },
      { path: `/apis/evil${at}/v1/pods` },
      { path: `/apis/evil${at}` },
      { path: `/apis/apps/evil${at}/deployments` },
      { path: `/api/v1/watch/evil${at}` },
      { path: `/api/v1/proxy/evil${at}/x` },
      { path: `/apis/authentication.k8s.io/v1/tokenreviews/a/evil${at}` },
      { path: `/evil${at}` },
      { path: `/healthz/evil${at}` },
      { path: `/openapi/v3/apis/evil${at}` },
      { path: `/api/v1/pods/__proto__/constructor` },
      { path: `/api/v1/pods?dryRun=evil${at}&fieldValidation=evil${at}&watch=evil${at}` },
      { method: `EVIL${at}`, path: '/api/v1/pods' },
      { method: 'PATCH', path: '/api/v1/nodes/a', headers: { 'content-type': `application/evil${at}` } },
      { path: '/api/v1/pods', headers: { 'user-agent': `evil${at}`, authorization: `evil${at} x` } },
      { path: '/api/v1/pods', headers: { 'impersonate-user': `evil${at}`, accept: `evil/${at}` } },
    ]
    await send([0, 1].flatMap(strange))
    await scrape()
    const before = await scrape()
    await send(Array.from({ length: 50 }, (_, at) => strange(at)).flat())
    const after = await scrape()
    assert.doesNotMatch(after, /evil|constructor/i)
    const seriesOf = (text: string): Set<string> =>
      new Set(text.split('\n').map((line) => line.slice(0, line.lastIndexOf(' '))))
    const [known, grown] = [seriesOf(before), seriesOf(after)]
    const fresh = [...grown].filter((name) => name.startsWith('apiserver_request') && !known.has(name))
    assert.deepEqual(fresh, [])
    assert.match(after, /apiserver_request_total\{[^}]*resource="other"[^}]*\} \d/)
  })
})
