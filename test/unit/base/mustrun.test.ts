import assert from 'node:assert/strict'
import { appendAll, type PausableWork, runWithoutPauses, type Steps } from '../../../lib/base/index.ts'

/**
 * Each line below a directive is a mistake that the lint must find: it reports directives that suppress nothing, so that
 * a rule that no longer finds one fails there.
 */
describe('work that must be run', () => {
  let runs = 0
  function* slices(): PausableWork<number[]> {
    yield
    runs++
    return [1]
  }
  function* steps(): Steps<void> {
    yield Promise.resolve()
    runs++
  }
  const call = (run: () => void): void => run()

  it('does nothing where it is dropped, and the linter reports that', () => {
    // oxlint-disable-next-line typescript/no-floating-promises -- a statement that drops the work
    slices()
    // oxlint-disable-next-line typescript/no-floating-promises -- the same, for work that waits
    steps()
    // oxlint-disable-next-line typescript/no-floating-promises -- a list of dropped work
    ;[1].map(() => slices())
    // oxlint-disable-next-line typescript/no-misused-promises -- a caller that expects nothing drops it
    call(() => slices())
    // oxlint-disable-next-line typescript/no-misused-promises -- the same, by name
    call(slices)
    // oxlint-disable-next-line typescript/no-misused-promises -- work is no condition: it is always there
    if (steps()) assert.equal(runs, 0)
  })

  it('is not spread or appended instead of its result, which linter and types refuse', () => {
    const list: number[] = []
    // @ts-expect-error -- the pauses are not the items
    appendAll(list, slices())
    // oxlint-disable-next-line typescript/no-misused-promises -- nor are they when they are spread
    const spread: unknown[] = [...slices()]
    assert.deepEqual([list, spread], [[undefined], [undefined]])
    appendAll(list, runWithoutPauses(slices()))
    assert.deepEqual(list, [undefined, 1])
  })
})
