import assert from 'node:assert/strict'
import { createFairnessMetrics } from '../../../lib/fairness/metrics.ts'
import { TimedRatio } from '../../../lib/fairness/timedratio.ts'
import { createMetrics } from '../../../lib/observe/index.ts'

describe('a ratio over time', () => {
  const seen: [value: number, weight: number][] = []
  beforeEach(() => void seen.splice(0))
  const ratio = () => new TimedRatio({ observe: (value, weight) => void seen.push([value, weight]) }, 1000)

  it('counts each nanosecond of a value, by the limit of that time', () => {
    const followed = ratio()
    followed.setLimit(4, 1000)
    followed.set(2, 1010)
    followed.set(3, 1010.5)
    followed.setLimit(6, 1011.5)
    followed.observe(1013.5)
    assert.deepEqual(seen, [
      [0, 10e6],
      [0.5, 0.5e6],
      [0.75, 1e6],
      [0.5, 2e6],
    ])
  })

  it('observes nothing for an unchanged value, no time at all, and a limit of zero', () => {
    const followed = ratio()
    followed.set(0, 1005)
    followed.observe(1000)
    assert.deepEqual(seen, [])
    followed.setLimit(0, 1001)
    followed.set(2, 1001)
    followed.observe(1002)
    assert.deepEqual(seen, [
      [0, 1e6],
      [2, 1e6],
    ])
  })

  it('is a histogram of the level, whose count is in nanoseconds', async () => {
    const metrics = createMetrics()
    const { seats } = createFairnessMetrics(metrics).ratios('workload-low', 0)
    seats.setLimit(10, 0)
    seats.set(5, 0)
    seats.observe(2)
    const { body } = await metrics.exposition('text', ['apiserver_flowcontrol_priority_level_seat_utilization'])
    const labels = 'phase="executing",priority_level="workload-low"'
    const name = 'apiserver_flowcontrol_priority_level_seat_utilization'
    assert.match(body, new RegExp(`^${name}_bucket\\{${labels},le="0.4"\\} 0$`, 'm'))
    assert.match(body, new RegExp(`^${name}_bucket\\{${labels},le="0.5"\\} 2e\\+06$`, 'm'))
    assert.match(body, new RegExp(`^${name}_sum\\{${labels}\\} 1e\\+06$`, 'm'))
    assert.match(body, new RegExp(`^${name}_count\\{${labels}\\} 2e\\+06$`, 'm'))
  })
})
