import assert from 'node:assert/strict'
import fc from 'fast-check'
import { decodeContinue, encodeContinue } from '../../../lib/endpoints/request/continuetoken.ts'
import { asRevision, StatusError } from '../../../lib/object/index.ts'

const prefix = '/registry/pods/'

describe('continue tokens', () => {
  it('lead back to the key after the last one', () => {
    const token = encodeContinue('/registry/pods/ns/p', prefix, asRevision(7))
    assert.deepEqual(decodeContinue(token, prefix), { start: '/registry/pods/ns/p\0', revision: 7 })
    assert.equal(decodeContinue(encodeContinue('/registry/pods/a', prefix, undefined), prefix).revision, undefined)
  })

  it('never lead out of their prefix, whatever their content', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('..', '../x', 'a/../..', '/..', 'a//b', './a')), (start) => {
        const token = Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start })).toString('base64url')
        try {
          const decoded = decodeContinue(token, prefix)
          assert.ok(decoded.start.startsWith(prefix))
          assert.ok(!decoded.start.split('/').includes('..'))
        } catch (error) {
          assert.ok(error instanceof StatusError && error.code === 400)
        }
      }),
    )
  })

  it('are refused when they are malformed', () => {
    fc.assert(
      fc.property(fc.string(), (token) => {
        assert.throws(() => decodeContinue(token, prefix), StatusError)
      }),
    )
  })
})
