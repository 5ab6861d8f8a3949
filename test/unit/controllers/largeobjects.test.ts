import assert from 'node:assert/strict'
import type { EndpointSubset, Pod, Service } from '../../../api/gen/core/v1.ts'
import type { IPAddress, ServiceCIDR } from '../../../api/gen/networking.k8s.io/v1.ts'
import type { ClusterRole } from '../../../api/gen/rbac.authorization.k8s.io/v1.ts'
import { aggregatedRules } from '../../../lib/authz/index.ts'
import { plan as planEndpoints } from '../../../lib/controllers/endpoints/plan.ts'
import { plan as planSlices } from '../../../lib/controllers/endpointslice/plan.ts'
import { plan as planMirrors } from '../../../lib/controllers/endpointslicemirroring/plan.ts'
import { BlockSet } from '../../../lib/controllers/nodeipam/blockset.ts'
import { plan as planServiceCidr } from '../../../lib/controllers/servicecidr/plan.ts'
import { repack } from '../../../lib/controllers/shared/endpointsubsets.ts'
import { type Frozen, parseCidr } from '../../../lib/object/index.ts'
import { threadCpuMs } from '../../support/cputime.ts'
import { heldMsBound } from '../../support/holdmeter.ts'

const list = <Item>(length: number, item: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => item(index))
const ipOf = (index: number): string => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`

/** Lists in objects that are as long as an object may be: no plan may cost their product. */
describe('plans for the largest objects', () => {
  let cpuMsMax = 0

  /** What `run` returns; it must not take longer than some times the parsing of a large body. */
  function inTime<Result>(run: () => Result): Result {
    const began = threadCpuMs()
    const result = run()
    const took = threadCpuMs() - began
    assert.ok(took < cpuMsMax, `${took} ms of CPU, more than ${cpuMsMax}`)
    return result
  }

  before(() => {
    cpuMsMax = 4 * heldMsBound()
  })

  const ports = list(10_000, (index) => ({ port: index + 1 }))
  const wide: EndpointSubset = { addresses: list(5000, (index) => ({ ip: ipOf(index) })), ports }

  it('endpoints of ten thousand ports and five thousand addresses are packed once', () => {
    const { subsets, leftOut } = inTime(() => repack([wide]))
    assert.deepEqual(
      subsets.map((subset) => [subset.addresses?.length, subset.ports?.length]),
      [[5000, 10_000]],
    )
    assert.equal(leftOut, 0)
  })

  it('endpoints whose ports have all different addresses are packed up to the maximum, and the rest is counted', () => {
    const others = list(10_000, (index) => ({
      addresses: [{ ip: `11.0.${index >> 8}.${index & 255}` }],
      ports: [{ port: index + 1 }],
    }))
    const { subsets, leftOut } = inTime(() => repack([wide, ...others]))
    assert.equal(subsets.length, 39)
    assert.equal(leftOut, (10_000 - 39) * 5001)
  })

  it('endpoints of a user are mirrored without the product of ports and addresses', () => {
    const metadata = { namespace: 'default', name: 'web', uid: 'e' }
    const planned = inTime(() =>
      planMirrors({ endpoints: { apiVersion: 'v1', kind: 'Endpoints', metadata, subsets: [wide] }, slices: [] }, 1000),
    )
    assert.equal(planned.create.length, 1)
    assert.equal(planned.skipped, 4000)
  })

  it('a service of ten thousand ports and a thousand pods has its endpoints and slices without their product', () => {
    const service = {
      metadata: { namespace: 'default', name: 'web', uid: 's' },
      spec: {
        clusterIP: '10.0.0.1',
        ipFamilies: ['IPv4'],
        ports: list(10_000, (index) => ({
          name: `p${index}`,
          port: index + 1,
          targetPort: index % 2 === 1 ? 'http' : 80,
        })),
      },
    } as unknown as Frozen<Service>
    const pods = list(1000, (index) => ({
      metadata: { namespace: 'default', name: `web-${index}`, uid: `u${index}` },
      spec: { containers: [{ name: 'c', ports: [{ name: 'http', containerPort: 8080 }] }] },
      status: { podIPs: [{ ip: ipOf(index) }], conditions: [{ type: 'Ready', status: 'True' }] },
    })) as unknown as Frozen<Pod>[]
    const endpoints = inTime(() => planEndpoints({ service, pods, endpoints: undefined }, undefined))
    assert.deepEqual(
      endpoints?.subsets?.map((subset) => [subset.addresses?.length, subset.ports?.length, subset.ports?.[1]?.port]),
      [[1000, 10_000, 8080]],
    )
    const options = { endpointsMax: 100, triggered: undefined, shares: () => assert.fail('no shares are needed') }
    const slices = inTime(() => planSlices({ service, pods, slices: [], zones: new Map() }, options))
    assert.equal(slices.create.length, 10)
    assert.equal(slices.create[0]?.ports?.length, 10_000)
  })

  it('a cluster role of many selectors aggregates each role once, and each rule once', () => {
    const rulesOf = (role: number) =>
      list(1000, (index) => ({ apiGroups: [''], resources: [`r${index}-${role % 10}`], verbs: ['get'] }))
    const roles = list(30, (role) => ({ metadata: { name: `r${role}`, labels: { all: '' } }, rules: rulesOf(role) }))
    const all = {
      metadata: { name: 'all' },
      aggregationRule: { clusterRoleSelectors: list(10_000, () => ({ matchLabels: { all: '' } })) },
    }
    const rules = inTime(() => aggregatedRules(all as unknown as ClusterRole, roles as unknown as ClusterRole[]))
    assert.equal(rules?.length, 10_000)
  })

  it('a node with all addresses for its pods takes every block at once, again and again', () => {
    const [range, everything] = [parseCidr('fd00::/48'), parseCidr('::/0')]
    assert.ok(range && everything)
    const set = new BlockSet(range, 64)
    inTime(() => {
      for (let event = 0; event < 1000; event++) {
        set.occupy(everything)
        assert.equal(set.allocate(), undefined)
        if (event % 2 === 0) set.release(everything)
      }
    })
    set.occupy(everything)
    assert.equal(set.taken, 65_536)
  })

  it('a range of service addresses that is not being deleted reads no address', () => {
    function* addresses(): Generator<Frozen<IPAddress>> {
      yield assert.fail('an address was asked for')
    }
    const range = { metadata: { name: 'r' }, spec: { cidrs: ['10.0.0.0/16'] } } as unknown as Frozen<ServiceCIDR>
    assert.deepEqual(planServiceCidr(range, [range], addresses(), 0), { do: 'protect' })
  })
})
