import assert from 'node:assert/strict'
import { defaultEmulation, versionInfo } from '../../../lib/features/index.ts'
import { createMetrics, recordBuild } from '../../../lib/observe/index.ts'
import { formatNumber } from '../../../lib/observe/number.ts'

async function textOf(metrics: ReturnType<typeof createMetrics>, name: string): Promise<string[]> {
  const { body } = await metrics.exposition()
  return body.split('\n').filter((line) => new RegExp(`(^| )${name}(_bucket|_sum|_count)?[ {]`).test(line))
}

describe('metrics', () => {
  it('writes a counter with its stability, and labels in order of the alphabet', async () => {
    const metrics = createMetrics()
    const counter = metrics.counter({
      name: 'jobs_total',
      help: 'Jobs.',
      labels: ['verb', 'code'],
      stability: 'STABLE',
    })
    counter.add(['GET', '200'])
    counter.add(['GET', '200'], 2)
    counter.add(['GET', 'a"b\\c\nd'])
    assert.deepEqual(await textOf(metrics, 'jobs_total'), [
      '# HELP jobs_total [STABLE] Jobs.',
      '# TYPE jobs_total counter',
      'jobs_total{code="200",verb="GET"} 3',
      'jobs_total{code="a\\"b\\\\c\\nd",verb="GET"} 1',
    ])
  })

  it('counts from 0 after a reset, through handles made before, and keeps gauges', async () => {
    const metrics = createMetrics()
    const counter = metrics.counter({ name: 'jobs_total', help: 'Jobs.', labels: ['verb'] })
    const handle = counter.at(['GET'])
    handle.add(2)
    const histogram = metrics.histogram({ name: 'took', help: 'Time.', buckets: [1] })
    histogram.observe([], 0.5)
    metrics.gauge({ name: 'open', help: 'Open.' }).set([], 1)
    metrics.gauge({ name: 'used', help: 'Used.', labels: ['what'], past: true }).set(['old'], 1)
    metrics.reset()
    handle.add(5)
    const { body } = await metrics.exposition()
    const lines = body.split('\n').filter((line) => /^(jobs_total|took|open|used|registered\S*ALPHA)/.test(line))
    assert.deepEqual(lines, [
      'jobs_total{verb="GET"} 5',
      'open 1',
      'registered_metrics_total{deprecated_version="",stability_level="ALPHA"} 4',
      'took_bucket{le="1"} 0',
      'took_bucket{le="+Inf"} 0',
      'took_sum 0',
      'took_count 0',
    ])
  })

  it('accumulates a histogram, bounds inclusive, and shows buckets cumulative', async () => {
    const metrics = createMetrics()
    const histogram = metrics.histogram({
      name: 'took_seconds',
      help: 'Time.',
      labels: ['verb'],
      buckets: [0.005, 1, 1e6],
    })
    for (const value of [0.005, 0.006, 1, 2, 2e6]) histogram.observe(['GET'], value)
    histogram.at(['GET']).observe(0)
    assert.deepEqual((await textOf(metrics, 'took_seconds')).slice(2), [
      'took_seconds_bucket{verb="GET",le="0.005"} 2',
      'took_seconds_bucket{verb="GET",le="1"} 4',
      'took_seconds_bucket{verb="GET",le="1e+06"} 5',
      'took_seconds_bucket{verb="GET",le="+Inf"} 6',
      'took_seconds_sum{verb="GET"} 2.000003011e+06',
      'took_seconds_count{verb="GET"} 6',
    ])
  })

  it('sets gauges, and computes others at scrape', async () => {
    const metrics = createMetrics()
    const gauge = metrics.gauge({ name: 'level', help: 'Level.' })
    gauge.set([], 2)
    gauge.add([], -0.5)
    let size = 1
    metrics
      .gauge({ name: 'sizes', help: 'Sizes.', labels: ['of'] })
      .collect(() => [{ labels: [`x${size}`], value: size }])
    assert.deepEqual((await textOf(metrics, 'level')).slice(2), ['level 1.5'])
    size = 2
    assert.deepEqual((await textOf(metrics, 'sizes')).slice(2), ['sizes{of="x2"} 2'])
  })

  it('answers the same metric for the same name, and refuses another type of it', () => {
    const metrics = createMetrics()
    const options = { name: 'a_total', help: 'A.' }
    assert.equal(metrics.counter(options), metrics.counter(options))
    assert.throws(() => metrics.gauge(options), /a_total is a counter, not a gauge/)
  })

  it('leaves metrics without series out', async () => {
    const metrics = createMetrics()
    metrics.counter({ name: 'never_total', help: 'Never.', labels: ['x'] })
    assert.deepEqual(await textOf(metrics, 'never_total'), [])
  })

  it('counts what is registered, hidden and disabled', async () => {
    const metrics = createMetrics({ disabled: ['off_total'] })
    metrics.counter({ name: 'off_total', help: 'Off.' }).add([])
    metrics.counter({ name: 'old_total', help: 'Old.', deprecatedSince: '1.35' }).add([])
    metrics.counter({ name: 'ageing_total', help: 'Ageing.', deprecatedSince: '1.36', stability: 'BETA' }).add([])
    const { body } = await metrics.exposition()
    assert.doesNotMatch(body, /off_total|old_total/)
    assert.match(body, /^# HELP ageing_total \[BETA\] \(Deprecated since 1\.36\.0\) Ageing\.$/m)
    assert.match(body, /^registered_metrics_total\{deprecated_version="1.36",stability_level="BETA"\} 1$/m)
    assert.match(body, /^hidden_metrics_total 1\ndisabled_metrics_total|^hidden_metrics_total 1$/m)
    assert.match(body, /^disabled_metrics_total 1$/m)
  })

  it('shows metrics hidden in this release on demand, and takes only the release before', async () => {
    const metrics = createMetrics({ showHiddenFor: '1.35' })
    metrics.counter({ name: 'old_total', help: 'Old.', deprecatedSince: '1.35' }).add([])
    assert.equal((await textOf(metrics, 'old_total')).length, 3)
    assert.throws(() => createMetrics({ showHiddenFor: '1.34' }), RangeError)
  })

  it('counts label values outside an allow list as unexpected', async () => {
    const metrics = createMetrics({ allowedLabels: new Map([['jobs_total,verb', ['GET']]]) })
    const counter = metrics.counter({ name: 'jobs_total', help: 'Jobs.', labels: ['verb', 'code'] })
    for (const verb of ['GET', 'PUT', 'PATCH']) counter.add([verb, '200'])
    assert.deepEqual((await textOf(metrics, 'jobs_total')).slice(2), [
      'jobs_total{code="200",verb="GET"} 1',
      'jobs_total{code="200",verb="unexpected"} 2',
    ])
    assert.match((await metrics.exposition()).body, /^cardinality_enforcement_unexpected_categorizations_total 2$/m)
  })

  it('counts further label values as one at the limit of series, and loses no count', async () => {
    const metrics = createMetrics({ seriesMax: 3 })
    const counter = metrics.counter({ name: 'users_total', help: 'Users.', labels: ['name', 'kind'] })
    for (let user = 0; user < 1000; user++) counter.add([`u${user}`, 'x'])
    assert.deepEqual((await textOf(metrics, 'users_total')).slice(2), [
      'users_total{kind="x",name="u0"} 1',
      'users_total{kind="x",name="u1"} 1',
      'users_total{kind="x",name="u2"} 1',
      'users_total{kind="unexpected",name="unexpected"} 997',
    ])
  })

  it('answers OpenMetrics to clients that request it', async () => {
    const metrics = createMetrics({ runtime: true })
    metrics.counter({ name: 'jobs_total', help: 'Jobs.' }).add([])
    metrics.counter({ name: 'attempts', help: 'Attempts.' }).add([])
    metrics.histogram({ name: 'took', help: 'Time.', buckets: [1] }).observe([], 1)
    const accept = 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1'
    const { contentType, body } = await metrics.exposition(metrics.formatFor(accept))
    assert.match(contentType, /^application\/openmetrics-text; version=1\.0\.0/)
    assert.match(body, /^# TYPE jobs counter\njobs_total 1$/m)
    assert.match(body, /^# TYPE attempts counter\nattempts_total 1$/m)
    assert.match(body, /^took_bucket\{le="1\.0"\} 1$/m)
    assert.match(body, /^# TYPE process_cpu_seconds counter\nprocess_cpu_seconds_total /m)
    assert.equal(body.endsWith('# EOF\n'), true)
    assert.doesNotMatch(body, /\n\n/)
    assert.equal(metrics.formatFor('text/plain'), 'text')
  })

  it('shows the process, the event loop and the build', async () => {
    const metrics = createMetrics({ runtime: true })
    const build = { packageVersion: '1', nodeVersion: 'v26.0.0', platform: 'linux', arch: 'x64' }
    recordBuild(metrics, versionInfo(build, defaultEmulation))
    const { body } = await metrics.exposition()
    for (const name of [
      'process_cpu_seconds_total',
      'process_start_time_seconds',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_max_seconds',
    ])
      assert.match(body, new RegExp(`^${name} `, 'm'))
    assert.match(body, /^version_info\{binary="1\.36",component="kube",emulation="1\.36",min_compat="1\.35"\} 1$/m)
    assert.match(body, /^kubernetes_build_info\{build_date=.*,git_version="v1\.36\.0\+pilothouse\.1",.*\} 1$/m)
  })

  it('counts the processor time of the process from its start, not from the first scrape', async () => {
    const { user, system } = process.cpuUsage()
    const { body } = await createMetrics({ runtime: true }).exposition()
    const seconds = (name: string): number => Number(new RegExp(`^process_${name}_total (.*)$`, 'm').exec(body)?.[1])
    assert.ok(seconds('cpu_user_seconds') >= user / 1e6)
    assert.ok(seconds('cpu_system_seconds') >= system / 1e6)
    assert.ok(seconds('cpu_seconds') >= (user + system) / 1e6)
    assert.ok(seconds('cpu_seconds') <= process.uptime() * 64)
  })

  const numbers: [number, string][] = [
    [0, '0'],
    [1, '1'],
    [999_999, '999999'],
    [1e6, '1e+06'],
    [1_234_567.5, '1.2345675e+06'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [-2.5, '-2.5'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NaN, 'NaN'],
  ]
  for (const [value, text] of numbers)
    it(`writes the number ${value} as ${text}`, () => {
      assert.equal(formatNumber(value), text)
    })
})
