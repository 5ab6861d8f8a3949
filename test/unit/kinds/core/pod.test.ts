import assert from 'node:assert/strict'
import type * as core from '../../../../api/gen/core/v1.ts'
import type { ApiObject } from '../../../../lib/object/index.ts'
import type { Loose } from '../../../support/kindcases.ts'
import { contextOf, created, updated } from '../../../support/kindrun.ts'
import { valid as volume } from '../../../support/valid/PersistentVolume.ts'

const specOf = (object: ApiObject): core.PodSpec => object['spec'] as core.PodSpec

function pod(spec: object = {}, metadata: object = {}): ApiObject {
  const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }]
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', ...metadata }, spec: { containers, ...spec } }
}

describe('kinds: pods as they are made', () => {
  it('an update that brings an integer beyond 2^53 is refused with all of its digits', () => {
    const [finding = ''] = updated(created(pod()).object, (object: Loose) => {
      object.spec.terminationGracePeriodSeconds = 2n ** 63n - 1n
    }).findings
    assert.match(finding, /^spec: Forbidden: pod updates may not change fields other than/)
    assert.match(finding, /\+ "terminationGracePeriodSeconds": 9223372036854775807/)
  })

  it('a gated pod has the time since when it is not scheduled', () => {
    const { object } = created(pod({ schedulingGates: [{ name: 'a.b/c' }] }))
    const [condition] = (object['status'] as core.PodStatus).conditions ?? []
    assert.deepEqual([condition?.reason, condition?.lastTransitionTime], ['SchedulingGated', '2025-05-01T00:00:00Z'])
  })

  it("label keys of affinity become requirements for the pod's own labels", () => {
    const term = {
      topologyKey: 'zone',
      labelSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
      matchLabelKeys: ['version', 'absent'],
      mismatchLabelKeys: ['tenant'],
    }
    const { labelSelector: _, ...unselective } = term
    const { object } = created(
      pod(
        {
          affinity: {
            podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] },
            podAntiAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [
                { weight: 1, podAffinityTerm: { ...term, labelSelector: {} } },
                { weight: 1, podAffinityTerm: unselective },
              ],
            },
          },
        },
        { labels: { version: '1', tenant: 't' } },
      ),
    )
    const { podAffinity, podAntiAffinity } = specOf(object).affinity ?? {}
    const added = [
      { key: 'version', operator: 'In', values: ['1'] },
      { key: 'tenant', operator: 'NotIn', values: ['t'] },
    ]
    assert.deepEqual(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.[0]?.labelSelector, {
      matchExpressions: [{ key: 'a', operator: 'Exists' }, ...added],
    })
    const preferred = podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
    assert.deepEqual(
      preferred.map(({ podAffinityTerm }) => podAffinityTerm.labelSelector),
      [{ matchExpressions: added }, undefined],
    )
  })

  const prefix = 'container.apparmor.security.beta.kubernetes.io/'
  const profiles: readonly [annotation: string, profile: object | undefined, warns: boolean][] = [
    ['unconfined', { type: 'Unconfined' }, true],
    ['localhost/a', { type: 'Localhost', localhostProfile: 'a' }, true],
    ['runtime/default', undefined, false],
    ['localhost/', undefined, true],
    ['localhost/ padded', undefined, true],
    ['what', undefined, true],
  ]
  for (const [annotation, profile, warns] of profiles)
    it(`an annotation names the AppArmor profile of a container: ${annotation}`, () => {
      const warnings: string[] = []
      const context = { ...contextOf(), warn: (text: string) => void warnings.push(text) }
      const given = pod(
        { securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } },
        { annotations: { [`${prefix}c`]: annotation } },
      )
      const { object } = created(given, context)
      assert.deepEqual(specOf(object).containers?.[0]?.securityContext?.appArmorProfile, profile)
      const text = 'deprecated since v1.30; use the "appArmorProfile" field instead'
      assert.deepEqual(warnings, warns ? [`metadata.annotations[${prefix}c]: ${text}`] : [])
    })
})

describe('kinds: pods as they change', () => {
  const old = created(pod({ nodeName: 'n' }, { labels: { a: 'b' } })).object
  const changes: readonly [title: string, subresource: string, change: (object: Loose) => void, generation: number][] =
    [
      ['a label', '', (o) => (o.metadata.labels = {}), 1],
      ['an image', '', (o) => (o.spec.containers[0].image = 'j'), 2],
      ['a part that is empty', '', (o) => (o.spec.affinity = {}), 2],
      ['a list of nothing', '', (o) => (o.spec.tolerations = []), 1],
      ['its status', 'status', (o) => (o.status.phase = 'Running'), 1],
      ['a container for debugging', 'ephemeralcontainers', (o) => (o.spec.ephemeralContainers = [{ name: 'd' }]), 2],
      ['a resize', 'resize', (o) => (o.spec.containers[0].resources.requests.cpu = '2'), 2],
    ]
  for (const [title, subresource, change, generation] of changes)
    it(`generation after ${title}`, () =>
      assert.equal(updated(old, change, { subresource }).object.metadata.generation, generation))

  const everything = (o: Loose): void => {
    o.metadata.labels = { other: 'x' }
    o.metadata.managedFields = [{ manager: 'm' }]
    o.spec.containers[0].image = ''
    o.spec.containers[0].resources.requests.cpu = '2'
    o.spec.containers[0].resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }]
    o.spec.ephemeralContainers = [{ name: 'd', image: 'i' }]
    o.spec.hostname = 'h'
  }
  it('ephemeralcontainers changes those alone', () => {
    const { object } = updated(old, everything, { subresource: 'ephemeralcontainers', validate: false })
    assert.deepEqual(object['spec'], { ...specOf(old), ephemeralContainers: [{ name: 'd', image: 'i' }] })
    assert.deepEqual([object.metadata.labels, object.metadata.managedFields], [{ a: 'b' }, [{ manager: 'm' }]])
  })

  it('resize changes amounts and policies alone, and ignores the rest', () => {
    const { object, findings } = updated(old, everything, { subresource: 'resize' })
    const [container] = specOf(old).containers ?? []
    const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }]
    const containers = [{ ...container, resources: { requests: { cpu: '2' } }, resizePolicy }]
    assert.deepEqual([object['spec'], findings], [{ ...specOf(old), containers }, []])
    assert.deepEqual([object.metadata.labels, object.metadata.managedFields], [{ a: 'b' }, [{ manager: 'm' }]])
  })
})

describe("kinds: a pod's status", () => {
  const old = created(pod({ nodeName: 'n' })).object
  const statuses: readonly [title: string, status: object, findings: readonly string[]][] = [
    [
      'is of addresses and conditions that make sense',
      { hostIP: '1.1.1.1', hostIPs: [{ ip: '1.1.1.1' }], conditions: [{ type: 'a.b/c' }, { type: 'Own' }] },
      [],
    ],
    [
      'has a condition whose type is no name',
      { conditions: [{ type: 'Ready' }, { type: '-' }] },
      ['status.conditions[1].type: Invalid value: "-": name part must consist of alphanumeric characters'],
    ],
    [
      "has another host's address first",
      { hostIP: '1.1.1.1', hostIPs: [{ ip: '1.1.1.2' }] },
      ['status.hostIPs[0].ip: Invalid value: "1.1.1.2": must be equal to `hostIP`'],
    ],
  ]
  for (const [title, status, causes] of statuses)
    it(title, () => {
      const { findings } = updated(old, (o: Loose) => Object.assign(o.status, status), { subresource: 'status' })
      assert.deepEqual(
        findings.map((finding, index) => finding.slice(0, causes[index]?.length)),
        causes,
      )
    })
})

describe('kinds: persistent volumes as they change', () => {
  it('the time of a phase stays for as long as the phase does', () => {
    const old = created(volume).object
    const { lastPhaseTransitionTime } = old['status'] as core.PersistentVolumeStatus
    const { object } = updated(old, (o: Loose) => delete o.status.lastPhaseTransitionTime, { subresource: 'status' })
    assert.deepEqual([lastPhaseTransitionTime, object['status']], ['2025-05-01T00:00:00Z', old['status']])
  })
})
