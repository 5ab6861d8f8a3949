import { refusesToCreate, refusesToUpdate } from '../../../support/kindcases.ts'
import { valid as slice } from '../../../support/valid/EndpointSlice.ts'
import { valid as ingress } from '../../../support/valid/Ingress.ts'
import { valid as address } from '../../../support/valid/IPAddress.ts'
import { valid as policy } from '../../../support/valid/NetworkPolicy.ts'
import { valid as budget } from '../../../support/valid/PodDisruptionBudget.ts'
import { valid as blocks } from '../../../support/valid/ServiceCIDR.ts'

describe('kinds: networks', () => {
  refusesToCreate(ingress, [
    [
      'a path that climbs',
      (o) => (o.spec.rules[0].http.paths[0].path = '/a/../b'),
      ['spec.rules[0].http.paths[0].path: Invalid value: "/a/../b": must not contain \'/../\''],
    ],
    [
      'a path that ends by climbing',
      (o) => (o.spec.rules[0].http.paths[0].path = '/a/..'),
      ['spec.rules[0].http.paths[0].path: Invalid value: "/a/..": cannot end with \'/..\''],
    ],
    [
      'an address for a host',
      (o) => (o.spec.rules[0].host = '1.2.3.4'),
      ['spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address'],
    ],
    [
      'two classes',
      (o) => {
        o.metadata.annotations = { 'kubernetes.io/ingress.class': 'x' }
        o.spec.ingressClassName = 'y'
      },
      [
        'annotations.kubernetes.io/ingress.class: Invalid value: "x": must match `ingressClassName` when both are specified',
      ],
    ],
    [
      'a port by name and number',
      (o) => (o.spec.defaultBackend = { service: { name: 's', port: { name: 'p', number: 1 } } }),
      ['spec.defaultBackend: Invalid value: "": cannot set both port name & port number'],
    ],
  ])
  refusesToCreate(policy, [
    [
      'a block with another peer',
      (o) =>
        (o.spec = { podSelector: {}, ingress: [{ from: [{ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }] }] }),
      ['spec.ingress[0].from[0]: Forbidden: may not specify both ipBlock and another peer'],
    ],
    [
      'an exception that is all of it',
      (o) =>
        (o.spec = {
          podSelector: {},
          ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/8'] } }] }],
        }),
      ['spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`'],
    ],
    [
      'an end of a named port',
      (o) => (o.spec = { podSelector: {}, ingress: [{ ports: [{ port: 'http', endPort: 90 }] }] }),
      ['spec.ingress[0].ports[0].endPort: Invalid value: 90: may not be specified when `port` is non-numeric'],
    ],
  ])
  refusesToCreate(slice, [
    [
      'an address of another family',
      (o) => (o.endpoints[0].addresses = ['fd00::1']),
      ['endpoints[0].addresses[0]: Invalid value: "fd00::1": must be an IPv4 address'],
    ],
    [
      'an address that stays on its link',
      (o) => (o.endpoints[0].addresses = ['169.254.0.1']),
      [
        'endpoints[0].addresses[0]: Invalid value: "169.254.0.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
      ],
    ],
    [
      'too many endpoints',
      (o) => (o.endpoints = Array.from({ length: 1001 }, () => ({ addresses: ['10.0.0.1'] }))),
      ['endpoints: Too many: 1001: must have at most 1000 items'],
    ],
  ])
  refusesToUpdate(blocks, [
    ['a block of the other family joins', (o) => o.spec.cidrs.push('fd00::/64'), []],
    [
      'a second block of the same family does not',
      (o) => o.spec.cidrs.push('10.99.0.0/24'),
      ['spec.cidrs: Invalid value: …'],
    ],
  ])
  refusesToUpdate(address, [
    ['another owner', (o) => (o.spec.parentRef.name = 'other'), ['spec.parentRef: Invalid value: …']],
  ])
  refusesToCreate(budget, [
    [
      'both bounds',
      (o) => Object.assign(o.spec, { minAvailable: 1, maxUnavailable: 1 }),
      ['spec: Invalid value: {"MinAvailable":1,…'],
    ],
    [
      'more than all',
      (o) => Object.assign(o.spec, { minAvailable: '101%', maxUnavailable: undefined }),
      ['spec.minAvailable: Invalid value: "101%": must not be greater than 100%'],
    ],
  ])
})
