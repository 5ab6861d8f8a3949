import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { RecentParts } from '../../../lib/codec/index.ts'

const site = 7

/** Looks a part up as its users do; whether it was known. */
function look(parts: RecentParts<string>, part: Uint8Array, at = site): string | undefined {
  if (!parts.wants(at, part.length)) return undefined
  // Among other bytes, as parts of messages are.
  const padded = Buffer.concat([Buffer.from([1, 2, 3]), part, Buffer.from([4])])
  const known = parts.find(at, padded, 3, 3 + part.length)
  if (known === undefined) parts.keep(at, padded, 3, 3 + part.length, `made of ${part[0]}`)
  return known
}

function part(first: number, length = 200): Buffer {
  const bytes = Buffer.alloc(length, 'x')
  bytes[0] = first
  return bytes
}

describe('parts of messages that were seen lately', () => {
  it('are known by every byte, their length and their site', () => {
    const parts = new RecentParts<string>()
    assert.equal(look(parts, part(1)), undefined)
    assert.equal(look(parts, part(1)), 'made of 1')
    for (let at = 0; at < 200; at++) {
      const other = part(1)
      other[at] = 0
      assert.equal(parts.find(site, other, 0, other.length), undefined, `byte ${at}`)
    }
    assert.equal(parts.find(site, part(1), 0, 199), undefined)
    assert.equal(parts.find(site, part(1, 201), 0, 201), undefined)
    assert.equal(parts.find(site + 1, part(1), 0, 200), undefined)
    assert.equal(parts.find(site, part(1), 0, 200), 'made of 1')
    parts.clear()
    assert.equal(parts.find(site, part(1), 0, 200), undefined)
  })

  it('parts that differ in a byte between the samples are known beside each other', () => {
    const parts = new RecentParts<string>()
    const alike = Array.from({ length: 4 }, (_, index) => {
      const bytes = part(1)
      bytes[3] = index
      return bytes
    })
    for (const bytes of alike) look(parts, bytes)
    for (const bytes of alike) assert.equal(look(parts, bytes), 'made of 1')
  })

  it('are copies: later changes of the message don’t affect them', () => {
    const parts = new RecentParts<string>()
    const bytes = part(1)
    parts.keep(site, bytes, 0, bytes.length, 'made of 1')
    bytes.fill(0)
    assert.equal(parts.find(site, bytes, 0, bytes.length), undefined)
    assert.equal(parts.find(site, part(1), 0, bytes.length), 'made of 1')
  })

  it('are not searched when they are short, or too long to be kept', () => {
    const parts = new RecentParts<string>()
    assert.equal(parts.wants(site, 20), false)
    assert.equal(parts.wants(site, 20_000), false)
    assert.equal(parts.wants(site, 200), true)
  })

  it('are rarely searched in a site that never repeats itself, until it does', () => {
    const parts = new RecentParts<string>()
    let looks = 0
    const looked = (bytes: Uint8Array): boolean => {
      if (!parts.wants(site, bytes.length)) return false
      looks++
      if (parts.find(site, bytes, 0, bytes.length) !== undefined) return true
      parts.keep(site, bytes, 0, bytes.length, 'made')
      return false
    }
    for (let i = 0; i < 10_000; i++) {
      const bytes = part(1)
      bytes.writeUInt32LE(i, 100)
      looked(bytes)
    }
    assert.ok(looks < 200, `${looks} looks`)
    // Another site is not concerned.
    assert.equal(parts.wants(site + 1, 200), true)
    let found = 0
    for (let i = 0; i < 1000; i++) if (looked(part(2))) found++
    assert.ok(found > 800, `${found} found`)
  })
})
