import assert from 'node:assert/strict'
import { type AuthorizationAttributes, createClaimStatusAccess } from '../../../lib/authz/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import type { UserInfo } from '../../../lib/request/index.ts'

const scheduler: UserInfo = { name: 'scheduler', uid: '', groups: [], extra: {} }
const driver = (...nodes: string[]): UserInfo => ({
  ...scheduler,
  name: 'system:serviceaccount:kube-system:driver',
  extra: { 'authentication.kubernetes.io/node-name': nodes },
})
const byName = (values: string[], key = 'metadata.name', operator = 'In') => ({
  matchFields: [{ key, operator, values }],
})
const allocation = (...nodeSelectorTerms: object[]) => ({ devices: {}, nodeSelector: { nodeSelectorTerms } })
const onNode1 = allocation(byName(['node-1']))
const device = (name: string, of = 'a.io', more: object = {}) => ({ driver: of, pool: 'p', device: name, ...more })
const claim = (status: object): ApiObject => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name: 'c', namespace: 'ns' },
  status,
})

interface Write {
  readonly user?: UserInfo
  readonly verb?: string
  readonly old?: object
  readonly now: object
}

describe('authorization of the parts of a device claim’s status', () => {
  async function write({ user = scheduler, verb = 'update', old = {}, now }: Write, ...allowed: string[]) {
    const asked: string[] = []
    const access = createClaimStatusAccess({
      name: 'test',
      authorize({ verb: asks, resource, subresource, namespace, name }: AuthorizationAttributes) {
        const line = [asks, `${resource}/${subresource}`, namespace, name].filter((word) => word !== '').join(' ')
        asked.push(line)
        return allowed.includes(line)
          ? { decision: 'allow' as const, reason: '' }
          : { decision: 'no-opinion' as const, reason: 'no rule' }
      },
    })
    const { signal } = new AbortController()
    const faults = await access({ user, verb, object: claim(now), old: claim(old), signal })
    return { asked, faults: faults.map(({ field, message }) => `${field}: ${message}`) }
  }

  const binding = 'update resourceclaims/binding'
  const far = 'arbitrary-node:update resourceclaims/driver ns a.io'
  const near = 'associated-node:update resourceclaims/driver ns a.io'
  const consumer = [{ resource: 'pods', name: 'p', uid: 'u' }]
  const needed: [string, Write, string[]][] = [
    ['nothing', { old: { allocation: onNode1 }, now: { allocation: onNode1, reservedFor: [] } }, []],
    ['an allocation', { now: { allocation: onNode1 } }, [binding]],
    ['the end of an allocation', { old: { allocation: onNode1 }, now: {} }, [binding]],
    ['a consumer', { now: { reservedFor: consumer } }, [binding]],
    ['a consumer by a patch', { verb: 'patch', now: { reservedFor: consumer } }, ['patch resourceclaims/binding']],
    ['an unchanged device', { old: { devices: [device('d')] }, now: { devices: [device('d')] } }, []],
    ['a new device', { now: { devices: [device('d')] } }, [far]],
    ['a device less', { old: { devices: [device('d')] }, now: {} }, [far]],
    [
      'another state of a device',
      { old: { devices: [device('d')] }, now: { devices: [device('d', 'a.io', { data: {} })] } },
      [far],
    ],
    [
      'devices of two drivers',
      { now: { devices: [device('d', 'b.io'), device('d')] } },
      [far, 'arbitrary-node:update resourceclaims/driver ns b.io'],
    ],
    [
      'a share of a device',
      { old: { devices: [device('d')] }, now: { devices: [device('d'), device('d', 'a.io', { shareID: 's' })] } },
      [far],
    ],
  ]
  for (const [title, change, lines] of needed)
    it(`${title} needs ${lines.join(' and ') || 'no permission'}`, async () => {
      const { asked, faults } = await write(change, ...lines)
      assert.deepEqual({ asked, faults }, { asked: lines, faults: [] })
      for (const missing of lines) {
        const others = lines.filter((line) => line !== missing)
        assert.equal((await write(change, ...others)).faults.length, 1, missing)
      }
    })

  const devices = [device('d')]
  const associations: [string, UserInfo, object, boolean][] = [
    ['a driver on the claim’s node', driver('node-1'), onNode1, true],
    ['a driver on another node', driver('node-2'), onNode1, false],
    ['a driver on two nodes', driver('node-1', 'node-2'), onNode1, false],
    ['a user that is no service account', { ...driver('node-1'), name: 'system:node:node-1' }, onNode1, false],
    ['a driver for a claim of two nodes', driver('node-1'), allocation(byName(['node-1', 'node-2'])), false],
    ['a driver for a claim of two terms', driver('node-1'), allocation(byName(['node-1']), byName(['node-1'])), false],
    ['a driver for a claim by another field', driver('node-1'), allocation(byName(['node-1'], 'x')), false],
    [
      'a driver for a claim of all nodes but one',
      driver('node-1'),
      allocation(byName(['node-1'], 'metadata.name', 'NotIn')),
      false,
    ],
    [
      'a driver for a claim with labels',
      driver('node-1'),
      allocation({ ...byName(['node-1']), matchExpressions: [{ key: 'a', operator: 'Exists' }] }),
      false,
    ],
    ['a driver for a claim without nodes', driver(''), allocation(byName([''])), false],
    ['a driver whose node has no valid name', driver('no_name'), allocation(byName(['no_name'])), false],
  ]
  for (const [title, user, allocated, isNear] of associations)
    it(`${title} ${isNear ? 'may use' : 'may not use'} the verb for its node`, async () => {
      const change = { user, old: { allocation: allocated }, now: { allocation: allocated, devices } }
      const { asked, faults } = await write(change, near)
      assert.deepEqual([asked, faults.length], isNear ? [[near], 0] : [[far], 1])
      assert.deepEqual((await write(change, far)).faults, [])
    })

  it('a refusal names the permission, and the reason', async () => {
    const old = { allocation: onNode1 }
    const { faults } = await write({ user: driver('node-1'), old, now: { devices } })
    assert.deepEqual(faults, [
      'status: Forbidden: changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="update" permission: resourceclaims.resource.k8s.io is forbidden: User "system:serviceaccount:kube-system:driver" cannot update resource "resourceclaims/binding" in API group "resource.k8s.io" at the cluster scope: no rule',
      'status.devices: Forbidden: changing status.devices requires resource="resourceclaims/driver", verb="[arbitrary-node:update]" permission: resourceclaims.resource.k8s.io "a.io" is forbidden: User "system:serviceaccount:kube-system:driver" cannot arbitrary-node:update resource "resourceclaims/driver" in API group "resource.k8s.io" in the namespace "ns": no rule',
    ])
  })
})
