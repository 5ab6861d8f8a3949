import assert from 'node:assert/strict'
import { createFeatureGates, parseRelease } from '../../../lib/features/index.ts'
import { type ApiObject, copyObject } from '../../../lib/object/index.ts'
import type { Loose } from '../../support/kindcases.ts'
import { contextOf, created, updated } from '../../support/kindrun.ts'
import { valid as slice } from '../../support/valid/EndpointSlice.ts'
import { valid as endpoints } from '../../support/valid/Endpoints.ts'
import { valid as ingress } from '../../support/valid/Ingress.ts'
import { valid as policy } from '../../support/valid/NetworkPolicy.ts'
import { valid as node } from '../../support/valid/Node.ts'
import { valid as pod } from '../../support/valid/Pod.ts'
import { valid as service } from '../../support/valid/Service.ts'

const oldest = contextOf(undefined, createFeatureGates({ release: parseRelease('1.33') }).gate)
const zeros = 'must not have leading 0s'
const mapped = 'must not be an IPv4-mapped IPv6 address'
const ip = '010.1.1.1'
const cidr = '10.1.1.1/24'
const invalid = (path: string, value: string, why: string): string => `${path}: Invalid value: "${value}": ${why}`

/** An object with an address in a form of old, and what is refused of it. */
const cases: readonly (readonly [title: string, valid: ApiObject, change: (object: Loose) => void, finding: string])[] =
  [
    [
      'an external address of a service',
      service,
      (o) => (o.spec.externalIPs = [ip]),
      invalid('spec.externalIPs[0]', ip, zeros),
    ],
    [
      'IPv4 within IPv6',
      service,
      (o) => (o.spec.externalIPs = ['::ffff:10.1.1.1']),
      invalid('spec.externalIPs[0]', '::ffff:10.1.1.1', mapped),
    ],
    [
      'an address of endpoints',
      endpoints,
      (o) => (o.subsets = [{ addresses: [{ ip }], ports: [{ port: 80 }] }]),
      invalid('subsets[0].addresses[0].ip', ip, zeros),
    ],
    [
      'an address of a slice',
      slice,
      (o) => Object.assign(o, { addressType: 'IPv4', endpoints: [{ addresses: [ip] }] }),
      invalid('endpoints[0].addresses[0]', ip, zeros),
    ],
    [
      'a block of a policy',
      policy,
      (o) => (o.spec.ingress = [{ from: [{ ipBlock: { cidr, except: ['10.1.1.0/28'] } }] }]),
      invalid('spec.ingress[0].from[0].ipBlock.cidr', cidr, 'must not have bits set beyond the prefix length'),
    ],
    [
      'a block of a node',
      node,
      (o) => Object.assign(o.spec, { podCIDR: '010.1.1.0/24', podCIDRs: ['010.1.1.0/24'] }),
      invalid('spec.podCIDRs[0]', '010.1.1.0/24', 'must not have leading 0s in IP or prefix length'),
    ],
    [
      'a name server of a pod',
      pod,
      (o) => (o.spec.dnsConfig = { nameservers: [ip] }),
      invalid('spec.dnsConfig.nameservers[0]', ip, zeros),
    ],
  ]

describe('addresses in a form that programs read in different ways', () => {
  for (const [title, valid, change, finding] of cases) {
    const given = copyObject(valid)
    change(given)
    it(`${title}: refused in a new object, but for that of a release before`, () => {
      assert.deepEqual(created(given).findings, [finding])
      assert.deepEqual(created(given, oldest).findings, [])
    })
  }

  for (const [title, valid, change] of cases.filter(([, { kind }]) => kind !== 'Pod'))
    it(`${title}: accepted where the object had it before`, () => {
      const old = created(valid).object
      change(old)
      const label = (o: Loose): void => void (o.metadata.labels = { a: 'b' })
      assert.deepEqual(updated(old, label).findings, [])
    })

  it('of a load balancer: refused in a status, unless they were there', () => {
    for (const [valid, at] of [
      [ingress, 'status.loadBalancer.ingress[0].ip'],
      [
        { ...service, spec: { ...(service['spec'] as object), type: 'LoadBalancer' } },
        'status.loadBalancer.ingress[0].ip',
      ],
    ] as const) {
      const old = created(valid).object
      const balance = (o: Loose): void => {
        o.status = { loadBalancer: { ingress: [{ ip, ...(o.kind === 'Service' && { ipMode: 'VIP' }) }] } }
      }
      const options = { subresource: 'status' }
      assert.deepEqual(updated(old, balance, options).findings, [invalid(at, ip, zeros)])
      assert.deepEqual(updated(old, balance, { ...options, context: oldest }).findings, [])
      balance(old)
      assert.deepEqual(updated(old, (o: Loose) => (o.status.conditions = []), options).findings, [])
    }
  })
})
