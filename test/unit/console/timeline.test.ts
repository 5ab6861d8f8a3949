import assert from 'node:assert/strict'
import { timelineOf } from '../../../console/state/timeline.ts'

const at = (minute: number): string => `2026-11-28T00:${String(minute).padStart(2, '0')}:00Z`

describe('the timeline of events in the console', () => {
  it('has the latest first, by the last time of each', () => {
    const events = [
      { metadata: { uid: 'once' }, firstTimestamp: at(5), lastTimestamp: at(5), reason: 'Once' },
      { metadata: { uid: 'often' }, firstTimestamp: at(1), lastTimestamp: at(9), count: 7, type: 'Warning' },
    ]
    const [first, second] = timelineOf(events)
    assert.deepEqual(
      [first?.uid, first?.count, first?.isWarning, first?.firstMs],
      ['often', 7, true, Date.parse(at(1))],
    )
    assert.deepEqual([second?.uid, second?.count, second?.isWarning], ['once', 1, false])
  })

  it('knows the times of events of events.k8s.io, and of a series', () => {
    const event = {
      metadata: { uid: 'a', creationTimestamp: at(2) },
      eventTime: at(3),
      firstTimestamp: null,
      lastTimestamp: null,
      reportingComponent: 'scheduler',
    }
    const [single] = timelineOf([event])
    assert.deepEqual(
      [single?.firstMs, single?.lastMs, single?.source],
      [Date.parse(at(3)), Date.parse(at(3)), 'scheduler'],
    )
    const [series] = timelineOf([{ ...event, series: { count: 4, lastObservedTime: at(8) } }])
    assert.deepEqual([series?.count, series?.lastMs], [4, Date.parse(at(8))])
  })

  it('takes events of any shape', () => {
    const [odd] = timelineOf([{ metadata: 7, type: [], count: 'many', series: 'x', source: { component: 'kubelet' } }])
    assert.deepEqual([odd?.count, odd?.source, odd?.isWarning], [1, 'kubelet', false])
    assert.ok(Number.isNaN(odd?.lastMs))
  })
})
