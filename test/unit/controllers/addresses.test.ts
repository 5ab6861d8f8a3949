import assert from 'node:assert/strict'
import fc from 'fast-check'
import { BlockSet, blockSetsOf } from '../../../lib/controllers/nodeipam/blockset.ts'
import { plan } from '../../../lib/controllers/servicecidr/plan.ts'
import { type Cidr, formatCidr, parseCidr } from '../../../lib/object/index.ts'

const cidr = (text: string): Cidr => {
  const parsed = parseCidr(text)
  assert.ok(parsed)
  return parsed
}
const shown = (block: Cidr | undefined): string | undefined => block && formatCidr(block)

describe('blocks of a range', () => {
  it('are allocated in order, and a released one comes last', () => {
    const set = new BlockSet(cidr('10.0.0.0/14'), 16)
    assert.equal(set.count, 4)
    assert.deepEqual([set.allocate(), set.allocate()].map(shown), ['10.0.0.0/16', '10.1.0.0/16'])
    set.release(cidr('10.0.0.0/16'))
    assert.deepEqual([set.allocate(), set.allocate(), set.allocate(), set.allocate()].map(shown), [
      '10.2.0.0/16',
      '10.3.0.0/16',
      '10.0.0.0/16',
      undefined,
    ])
  })

  it('blocks that overlap something else are not allocated', () => {
    const set = new BlockSet(cidr('10.0.0.0/14'), 16)
    set.occupy(cidr('10.0.128.0/17'))
    set.occupy(cidr('10.3.0.0/8'))
    assert.equal(set.taken, 4, 'a larger range takes all')
    const other = new BlockSet(cidr('10.0.0.0/14'), 16)
    other.occupy(cidr('10.1.2.0/24'))
    other.occupy(cidr('192.168.0.0/16'))
    other.occupy(cidr('fd00::/64'))
    assert.equal(other.taken, 1)
  })

  it('are large in number for IPv6, but limited', () => {
    const set = new BlockSet(cidr('fd00::/48'), 64)
    assert.equal(set.count, 65_536)
    assert.equal(shown(set.allocate()), 'fd00::/64')
    assert.throws(() => new BlockSet(cidr('fd00::/32'), 64), /too big/)
    assert.throws(() => new BlockSet(cidr('10.0.0.0/16'), 8), /at least as long/)
    assert.throws(() => new BlockSet(cidr('10.0.0.0/30'), 40), RangeError)
  })

  it("equal a model's, whatever is allocated and released", () => {
    const step = fc.record({ what: fc.constantFrom('allocate', 'release', 'occupy'), index: fc.nat(15) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const set = new BlockSet(cidr('10.0.0.0/20'), 24)
        const model = new Set<string>()
        for (const { what, index } of steps) {
          const text = `10.0.${index}.0/24`
          if (what === 'allocate') {
            const block = shown(set.allocate())
            assert.equal(block === undefined, model.size === 16)
            if (block !== undefined) {
              assert.ok(!model.has(block))
              model.add(block)
            }
          } else if (what === 'release') {
            set.release(cidr(text))
            model.delete(text)
          } else {
            set.occupy(cidr(text))
            model.add(text)
          }
          assert.equal(set.taken, model.size)
        }
      }),
    )
  })

  const settings = {
    clusterCidr: ['10.0.0.0/16'],
    serviceClusterIpRange: [],
    nodeCidrMaskSize: 0,
    nodeCidrMaskSizeIpv4: 24,
    nodeCidrMaskSizeIpv6: 64,
  }
  it('leave out what services use', () => {
    const [set] = blockSetsOf({ ...settings, serviceClusterIpRange: ['10.0.0.0/23'] })
    assert.equal(shown(set?.allocate()), '10.0.2.0/24')
  })

  for (const [title, wrong] of [
    ['no range', { clusterCidr: [] }],
    ['two ranges of one family', { clusterCidr: ['10.0.0.0/16', '10.1.0.0/16'] }],
    ['one mask for two families', { clusterCidr: ['10.0.0.0/16', 'fd00::/48'], nodeCidrMaskSize: 24 }],
    ['what is no range', { clusterCidr: ['ten'] }],
  ] as const)
    it(`refuse ${title}`, () => assert.throws(() => blockSetsOf({ ...settings, ...wrong }), RangeError))
})

describe('a range of service addresses', () => {
  const now = Date.parse('2026-01-01T00:01:00Z')
  const range = (name: string, cidrs: string[], deleting = false): never =>
    ({
      metadata: { name, ...(deleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}) },
      spec: { cidrs },
    }) as never
  const address = (name: string): never => ({ metadata: { name } }) as never
  const cases: [title: string, own: never, others: never[], addresses: never[], expected: object][] = [
    ['that lives is protected', range('a', ['10.0.0.0/24']), [], [], { do: 'protect' }],
    [
      'that goes and is not used is released',
      range('a', ['10.0.0.0/24'], true),
      [],
      [address('10.1.0.1')],
      { do: 'release', afterMs: 0 },
    ],
    ['that goes and is used stays', range('a', ['10.0.0.0/24'], true), [], [address('10.0.0.1')], { do: 'keep' }],
    [
      'that lies in another one may go',
      range('a', ['10.0.0.0/24'], true),
      [range('b', ['10.0.0.0/16'])],
      [address('10.0.0.1')],
      { do: 'release', afterMs: 0 },
    ],
    [
      'is not covered by one that goes as well',
      range('a', ['10.0.0.0/24'], true),
      [range('b', ['10.0.0.0/16'], true)],
      [address('10.0.0.1')],
      { do: 'keep' },
    ],
    [
      'is covered where its addresses lie in a smaller one',
      range('a', ['10.0.0.0/16'], true),
      [range('b', ['10.0.0.0/24'])],
      [address('10.0.0.1')],
      { do: 'release', afterMs: 0 },
    ],
    [
      'of two families stays for one of them',
      range('a', ['10.0.0.0/24', 'fd00::/112'], true),
      [range('b', ['10.0.0.0/16'])],
      [address('fd00::1')],
      { do: 'keep' },
    ],
  ]
  for (const [title, own, others, addresses, expected] of cases)
    it(title, () => assert.deepEqual(plan(own, [own, ...others], addresses, now), expected))

  it('stays ten seconds from its deletion on', () => {
    const own = range('a', ['10.0.0.0/24'], true)
    assert.deepEqual(plan(own, [own], [], Date.parse('2026-01-01T00:00:04Z')), { do: 'release', afterMs: 6000 })
  })
})
