import assert from 'node:assert/strict'
import { createMetrics } from '../../../lib/observe/index.ts'
import { parseQuery, parseRequestInfo } from '../../../lib/request/index.ts'
import type { ServerCall } from '../../../lib/server/index.ts'
import { createRequestSeries, seriesMax } from '../../../lib/server/series.ts'

/** As much of a call as labels are made of. */
function call(method: string, url: string, headers: Record<string, string> = {}): ServerCall {
  const [path = ''] = url.split('?')
  const query = parseQuery(url)
  const info = parseRequestInfo(method, path, query)
  return { method, url, query, headers, info, route: '' } as ServerCall
}

describe('request series', () => {
  const cases: [string, string, Record<string, string>, { verb: string; scope: string; dryRun?: string }][] = [
    ['GET', '/api/v1/namespaces/a/pods/b', {}, { verb: 'GET', scope: 'resource' }],
    ['GET', '/api/v1/namespaces/a/pods?watch=1', {}, { verb: 'WATCH', scope: 'namespace' }],
    ['GET', '/api/v1/pods', {}, { verb: 'LIST', scope: 'cluster' }],
    ['POST', '/api/v1/namespaces/a/pods', {}, { verb: 'POST', scope: 'resource' }],
    ['PUT', '/api/v1/nodes/n?dryRun=All', {}, { verb: 'PUT', scope: 'resource', dryRun: 'All' }],
    ['PUT', '/api/v1/nodes/n?dryRun=x', {}, { verb: 'PUT', scope: 'resource', dryRun: 'invalid' }],
    [
      'PATCH',
      '/api/v1/nodes/n',
      { 'content-type': 'application/merge-patch+json' },
      { verb: 'PATCH', scope: 'resource' },
    ],
    [
      'PATCH',
      '/api/v1/nodes/n',
      { 'content-type': 'application/apply-patch+yaml' },
      { verb: 'APPLY', scope: 'resource' },
    ],
    ['DELETE', '/api/v1/namespaces/a/pods', {}, { verb: 'DELETECOLLECTION', scope: 'namespace' }],
    ['POST', '/api/v1/namespaces/a/pods/b/exec', {}, { verb: 'CONNECT', scope: 'resource' }],
    ['BREW', '/api/v1/pods', {}, { verb: 'other', scope: 'cluster' }],
    ['BREW', '/coffee', {}, { verb: 'other', scope: '' }],
  ]
  for (const [method, url, headers, expected] of cases) {
    it(`${method} ${url} counts as ${expected.verb}, scope '${expected.scope}'`, () => {
      const series = createRequestSeries(createMetrics(), () => true).of(call(method, url, headers))
      assert.deepEqual(
        [series.verb, series.scope, series.dryRun],
        [expected.verb, expected.scope, expected.dryRun ?? ''],
      )
    })
  }

  it('count bodies by their purpose, and durations by the field validation', async () => {
    const metrics = createMetrics()
    const series = createRequestSeries(metrics, () => true)
    const sent = (method: string, query: string, bytes: number): void => {
      const made = call(method, `/api/v1/namespaces/a/pods${method === 'POST' ? '' : '/b'}${query}`)
      const responder = { status: 200, bytesSent: 1 }
      const bodyRead = bytes > 0 ? new Uint8Array(bytes) : undefined
      const whole = Object.assign(made, { responder, bodyRead })
      series.count(series.of(whole), whole, 0.3)
    }
    sent('POST', '', 10)
    sent('POST', '?fieldValidation=Strict', 60_000)
    sent('PUT', '?fieldValidation=Strange', 20)
    sent('PATCH', '?fieldValidation=Warn&fieldValidation=Warn', 30)
    sent('DELETE', '', 0)
    sent('GET', '', 0)
    const { body } = await metrics.exposition()
    const lines = (pattern: RegExp): string[] => body.split('\n').filter((line) => pattern.test(line))
    assert.deepEqual(lines(/^apiserver_request_body_size_bytes_sum/), [
      'apiserver_request_body_size_bytes_sum{group="",resource="pods",verb="create"} 60010',
      'apiserver_request_body_size_bytes_sum{group="",resource="pods",verb="update"} 20',
      'apiserver_request_body_size_bytes_sum{group="",resource="pods",verb="patch"} 30',
      'apiserver_request_body_size_bytes_sum{group="",resource="pods",verb="delete"} 0',
    ])
    assert.deepEqual(lines(/^apiserver_request_body_size_bytes_bucket.*verb="create",le="(50000|150000|3.05e\+06)"/), [
      'apiserver_request_body_size_bytes_bucket{group="",resource="pods",verb="create",le="50000"} 1',
      'apiserver_request_body_size_bytes_bucket{group="",resource="pods",verb="create",le="150000"} 2',
      'apiserver_request_body_size_bytes_bucket{group="",resource="pods",verb="create",le="3.05e+06"} 2',
    ])
    assert.deepEqual(lines(/^field_validation_request_duration_seconds_count/), [
      'field_validation_request_duration_seconds_count{field_validation=""} 1',
      'field_validation_request_duration_seconds_count{field_validation="Strict"} 1',
      'field_validation_request_duration_seconds_count{field_validation="invalid"} 2',
    ])
  })

  it('are limited in number: later ones count as other', () => {
    const series = createRequestSeries(createMetrics(), () => true)
    for (let at = 0; at < seriesMax; at++) series.of(call('GET', `/api/v1/kind${at}`))
    assert.equal(series.of(call('GET', '/api/v1/late')).resource, 'other')
    assert.equal(series.of(call('GET', '/api/v1/kind7')).resource, 'kind7')
  })
})
