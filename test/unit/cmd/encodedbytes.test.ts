import { equal } from 'node:assert/strict'
import { limitedBy } from '../../../cmd/apiserver/encodedbytes.ts'

describe('bytes of encoded objects that are kept', () => {
  const gibibyte = 2 ** 30
  it('are a quarter of the memory of the machine, or of the container', () => {
    equal(limitedBy(16 * gibibyte, 0), 4 * gibibyte)
    equal(limitedBy(16 * gibibyte, 2 ** 63), 4 * gibibyte)
    equal(limitedBy(16 * gibibyte, gibibyte), gibibyte / 4)
  })
})
