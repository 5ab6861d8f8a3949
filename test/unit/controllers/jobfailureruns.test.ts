import assert from 'node:assert/strict'
import type { Pod } from '../../../api/gen/core/v1.ts'
import { type Clock, createFakeClock } from '../../../lib/base/index.ts'
import { createFailureRuns } from '../../../lib/controllers/job/failureruns.ts'
import { type Frozen, formatTime } from '../../../lib/object/index.ts'

describe('job controller: the pause after a failure', () => {
  for (const jumpMs of [-3_600_000, 3_600_000])
    it(`counts from when the pod failed, though the wall clock is set by ${jumpMs / 60_000} minutes after it`, () => {
      const { clock, jump } = createJumpingClock()
      const runs = createFailureRuns(clock)
      const pod = failedAt(clock.now() - 2000)
      assert.equal(clock.now() - runs.endedMs(pod), 2000)
      runs.set('job', { count: 1, lastMs: runs.endedMs(pod) })
      jump(jumpMs)
      assert.equal(clock.now() - runs.endedMs(pod), 5000)
      assert.equal(clock.now() - runs.get('job').lastMs, 5000)
    })

  it('counts from when the failure is seen, if it is in the future by the wall clock', () => {
    const { clock, jump } = createJumpingClock()
    const runs = createFailureRuns(clock)
    const pod = failedAt(clock.now() + 1_000_000)
    assert.equal(clock.now() - runs.endedMs(pod), 0)
    jump(0)
    assert.equal(clock.now() - runs.endedMs(pod), 3000)
    runs.set('job', { count: 0, lastMs: 0 })
    assert.deepEqual(runs.get('job'), { count: 0, lastMs: 0 })
  })
})

/** `jump` lets three seconds pass, and sets the wall clock. */
function createJumpingClock(): { readonly clock: Clock; readonly jump: (ms: number) => void } {
  const fake = createFakeClock(10 ** 12)
  let skewMs = 0
  return {
    clock: { ...fake, now: () => fake.now() + skewMs },
    jump(ms) {
      fake.advance(3000)
      skewMs = ms
    },
  }
}

function failedAt(ms: number): Frozen<Pod> {
  const finishedAt = formatTime(ms)
  const statuses = [
    {
      name: 'c',
      image: 'i',
      imageID: 'i',
      ready: false,
      restartCount: 0,
      lastState: {},
      state: { terminated: { exitCode: 1, finishedAt } },
    },
  ]
  const metadata = { namespace: 'a', name: 'p', uid: 'p1' }
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: {}, status: { phase: 'Failed', containerStatuses: statuses } }
}
