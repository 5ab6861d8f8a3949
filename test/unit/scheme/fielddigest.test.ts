import assert from 'node:assert/strict'
import { createSeededRandom } from '../../../lib/base/index.ts'
import { FieldDigest } from '../../../lib/scheme/fielddigest.ts'

const texts = ['', 'a', 'b', 'ab', 'ba', '\0', '\0\0', ...Array.from({ length: 2000 }, (_, index) => `pod-${index}`)]

/** The digests of texts in one process, as its random source gives them. */
function digestsWith(seed: number): number[] {
  const digest = new FieldDigest(createSeededRandom(seed))
  digest.watch(3)
  return texts.map((text) => {
    digest.begin()
    const bytes = Buffer.from(text)
    digest.addBytes(3, bytes, 0, bytes.length)
    return digest.value
  })
}

describe('the digest of what defaults read', () => {
  it('differs between processes for every value, so that no client knows two values of one digest', () => {
    const [one, other] = [digestsWith(1), digestsWith(2)]
    assert.deepEqual(one, digestsWith(1))
    assert.ok(one.every((value, index) => value !== other[index]))
  })

  it('differs between the values that a process sees', () => {
    for (const seed of [1, 2, 3]) assert.equal(new Set(digestsWith(seed)).size, texts.length)
  })
})
