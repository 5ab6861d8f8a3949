import assert from 'node:assert/strict'
import { chooseFamilies } from '../../../../lib/kinds/index.ts'
import { type Loose, refusesToCreate, refusesToUpdate } from '../../../support/kindcases.ts'
import { created, updated } from '../../../support/kindrun.ts'
import { extname, valid as given, lb } from '../../../support/valid/Service.ts'

const valid = { ...given, spec: { ...(given['spec'] as object), clusterIPs: ['10.0.0.77'] } }

describe('kinds: Service', () => {
  refusesToCreate(valid, [
    ['nothing wrong', () => {}, []],
    [
      'a headless service may have no ports',
      (o) =>
        Object.assign(o.spec, {
          type: 'ClusterIP',
          clusterIP: 'None',
          clusterIPs: ['None'],
          ports: [],
          ipFamilies: undefined,
        }),
      [],
    ],
    [
      'headless with node ports',
      (o) => Object.assign(o.spec, { clusterIP: 'None', clusterIPs: ['None'] }),
      ['spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services'],
    ],
    [
      'three addresses',
      (o) => (o.spec.clusterIPs = ['10.0.0.77', '10.0.0.78', '10.0.0.79']),
      ['spec.clusterIPs: Invalid value: ["10.0.0.77","10.0.0.78","10.0.0.79"]: may only hold up to 2 values'],
    ],
    [
      'two addresses of a family',
      (o) => (o.spec.clusterIPs = ['10.0.0.77', '10.0.0.78']),
      ['spec.clusterIPs: Invalid value: ["10.0.0.77","10.0.0.78"]: may specify no more than one IP for each IP family'],
    ],
    [
      'an address of another family',
      (o) => (o.spec.ipFamilies = ['IPv6']),
      ['spec.clusterIPs[0]: Invalid value: "10.0.0.77": expected an IPv6 value as indicated by `ipFamilies[0]`'],
    ],
    [
      'None among others',
      (o) => Object.assign(o.spec, { clusterIP: 'None', clusterIPs: ['None', '10.0.0.77'] }),
      ['spec.clusterIPs: Invalid value: ["None","10.0.0.77"]: \'None\' must be the first and only value'],
    ],
    [
      "an external address that is nobody else's",
      (o) => (o.spec.externalIPs = ['127.0.0.1']),
      ['spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    ],
    [
      'newer distributions are behind a gate',
      (o) => (o.spec.trafficDistribution = 'PreferSameZone'),
      ['spec.trafficDistribution: Unsupported value: "PreferSameZone": supported values: "PreferClose"'],
    ],
    [
      'affinity for too long',
      (o) => (o.spec.sessionAffinityConfig.clientIP.timeoutSeconds = 86_401),
      [
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400',
      ],
    ],
  ])
  refusesToCreate(extname, [
    ['a name that ends in a dot', (o) => (o.spec.externalName = 'a.b.'), []],
    [
      'addresses',
      (o) => (o.spec.clusterIPs = ['10.0.0.1']),
      ['spec.clusterIPs: Forbidden: may not be set for ExternalName services'],
    ],
  ])
  refusesToUpdate(valid, [
    [
      'an address that is left out stays',
      (o) => {
        delete o.spec.clusterIP
        delete o.spec.clusterIPs
      },
      [],
    ],
    [
      'another address',
      (o) => (o.spec.clusterIP = '10.0.0.78'),
      ['spec.clusterIPs[0]: Invalid value: ["10.0.0.78"]: may not change once set'],
    ],
    [
      'another family',
      (o) => Object.assign(o.spec, { ipFamilies: ['IPv6'] }),
      [
        'spec.ipFamilies[0]: Invalid value: ["IPv6"]: may not change once set',
        'spec.clusterIPs[0]: Invalid value: "10.0.0.77": expected an IPv6…',
      ],
    ],
    [
      'a type without addresses drops all that was allocated',
      (o) => {
        Object.assign(o.spec, { type: 'ExternalName', externalName: 'a.b' })
        delete o.spec.externalIPs
      },
      [],
    ],
  ])
  refusesToUpdate(lb, [
    [
      'another class',
      (o) => (o.spec.loadBalancerClass = 'a.b/d'),
      ['spec.loadBalancerClass: Invalid value: "a.b/d": may not change once set'],
    ],
    [
      'another health check port',
      (o) => (o.spec.healthCheckNodePort = 31_000),
      ['spec.healthCheckNodePort: Forbidden: field is immutable'],
    ],
  ])
  refusesToUpdate(
    lb,
    [
      ['an address without a mode has one', (o) => (o.status = { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } }), []],
      [
        'a mode without an address',
        (o) => (o.status = { loadBalancer: { ingress: [{ hostname: 'a.b', ipMode: 'VIP' }] } }),
        ['status.loadBalancer.ingress[0].ipMode: Forbidden: may not be specified when `ip` is not set'],
      ],
      [
        'an address for a name',
        (o) => (o.status = { loadBalancer: { ingress: [{ hostname: '1.2.3.4' }] } }),
        ['status.loadBalancer.ingress[0].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address'],
      ],
    ],
    'status',
  )

  it('a headless service without a selector may have both families in any cluster', () => {
    const spec = { type: 'ClusterIP', clusterIP: 'None', clusterIPs: ['None'] }
    assert.deepEqual(chooseFamilies(spec, undefined, ['IPv4']), [])
    assert.deepEqual({ ...spec }, { ...spec, ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' })
  })

  it('a load balancer without node ports releases those that a client sends as 0', () => {
    const old = created(lb).object
    const { ports } = old['spec'] as { ports: { nodePort?: number }[] }
    for (const [index, port] of ports.entries()) port.nodePort = 30_000 + index
    const clear = (object: Loose): void => {
      for (const port of object.spec.ports) port.nodePort = 0
    }
    const numbers = ({ object }: { object: Loose }): number[] =>
      object.spec.ports.map(({ nodePort }: Loose) => nodePort ?? 0)
    const freed = updated(old, (object: Loose) => {
      object.spec.allocateLoadBalancerNodePorts = false
      clear(object)
    })
    assert.deepEqual(
      numbers(freed),
      ports.map(() => 0),
    )
    assert.deepEqual(
      numbers(updated(old, clear)),
      ports.map((_, index) => 30_000 + index),
    )
  })

  it('an ExternalName service has no internal traffic policy', () => {
    const { object, findings } = created({
      ...extname,
      spec: { ...(extname['spec'] as object), internalTrafficPolicy: 'Local' },
    })
    assert.deepEqual([findings, 'internalTrafficPolicy' in (object['spec'] as object)], [[], false])
  })

  it('a stored service with one address and no list of them can be updated', () => {
    const old = created(given).object
    const spec = old['spec'] as Loose
    spec.clusterIP = '10.0.0.77'
    delete spec.clusterIPs
    for (const leave of [(): void => {}, (object: Loose): void => void delete object.spec.clusterIP]) {
      const { object, findings } = updated(
        { ...old, metadata: { ...old.metadata, resourceVersion: '1' } },
        (changed) => {
          leave(changed)
          changed.metadata.labels = { a: 'b' }
        },
      )
      assert.deepEqual(findings, [])
      const { clusterIP, clusterIPs } = object['spec'] as Loose
      assert.deepEqual([clusterIP, clusterIPs], ['10.0.0.77', ['10.0.0.77']])
    }
  })
})
