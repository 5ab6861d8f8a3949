import assert from 'node:assert/strict'
import type * as core from '../../../../api/gen/core/v1.ts'
import { createFeatureGates, parseRelease } from '../../../../lib/features/index.ts'
import type { ApiObject } from '../../../../lib/object/index.ts'
import type { Loose } from '../../../support/kindcases.ts'
import { contextOf, created, updated } from '../../../support/kindrun.ts'

const specOf = (object: ApiObject): core.PodSpec => object['spec'] as core.PodSpec
const oldest = contextOf(undefined, createFeatureGates({ release: parseRelease('1.33') }).gate)
const image = 'i'

function pod(spec: object = {}, container: object = {}): ApiObject {
  const containers = [{ name: 'c', image, ...container }]
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers, ...spec } }
}

const rule = (more: object = {}): object => ({
  action: 'Restart',
  exitCodes: { operator: 'In', values: [42] },
  ...more,
})
const rules = (...restartPolicyRules: object[]): object => ({ restartPolicy: 'Never', restartPolicyRules })
const fileKeyRef = { volumeName: 'v', path: 'env/file', key: 'KEY' }
const env = (more: object = {}): object => ({
  env: [{ name: 'A', valueFrom: { fileKeyRef: { ...fileKeyRef, ...more } } }],
})
const volumes = [
  { name: 'v', emptyDir: {} },
  { name: 'other', hostPath: { path: '/a' } },
]
const init = (container: object): object => ({ initContainers: [{ name: 'i', image, ...container }] })
const at = 'spec.containers[0]'

type Case = readonly [title: string, pod: ApiObject, findings: readonly string[]]

function judges(cases: readonly Case[], context = contextOf()): void {
  for (const [title, given, findings] of cases)
    it(`${title}: ${findings.length === 0 ? 'accepted' : 'refused'}`, () =>
      assert.deepEqual(created(given, context).findings, findings))
}

describe('kinds: how containers restart', () => {
  const fewer = 'supported values: "Always", "Never", "OnFailure"'
  judges([
    ["a container's own policy", pod({}, { restartPolicy: 'OnFailure' }), []],
    ['rules of a container', pod({}, rules(rule(), rule({ action: 'RestartAllContainers' }))), []],
    ['rules of an init container', pod(init(rules(rule()))), []],
    [
      'a policy that is none',
      pod({}, { restartPolicy: 'Maybe' }),
      [`${at}.restartPolicy: Unsupported value: "Maybe": ${fewer}`],
    ],
    [
      'rules without a policy',
      pod({}, { restartPolicyRules: [rule()] }),
      [`${at}.restartPolicy: Required value: must specify restartPolicy when restart rules are used`],
    ],
    [
      'rules of a sidecar',
      pod(init({ restartPolicy: 'Always', restartPolicyRules: [rule()] })),
      [
        'spec.initContainers[0].restartPolicyRules: Forbidden: restartPolicyRules are not allowed for init containers with restart policy Always',
      ],
    ],
    [
      'rules that make no sense',
      pod(
        {},
        rules(rule({ action: 'Explode' }), rule({ exitCodes: undefined }), rule({ exitCodes: { operator: 'Is' } })),
      ),
      [
        `${at}.restartPolicyRules[0].action: Unsupported value: "Explode": supported values: "Restart", "RestartAllContainers"`,
        `${at}.restartPolicyRules[1].exitCodes: Required value: must be specified`,
        `${at}.restartPolicyRules[2].exitCodes.operator: Unsupported value: "Is": supported values: "In", "NotIn"`,
      ],
    ],
    [
      'more rules than there may be',
      pod({}, rules(...Array.from({ length: 21 }, () => rule()))),
      [`${at}.restartPolicyRules: Too many: 21: must have at most 20 items`],
    ],
    [
      'more exit codes than there may be',
      pod({}, rules(rule({ exitCodes: { operator: 'In', values: Array.from({ length: 256 }, (_, code) => code) } }))),
      [`${at}.restartPolicyRules[0].exitCodes.values: Too many: 256: must have at most 255 items`],
    ],
  ])
  describe('in 1.33', () =>
    judges(
      [
        [
          "a container's own policy",
          pod({}, { restartPolicy: 'OnFailure' }),
          [`${at}.restartPolicy: Forbidden: may not be set for non-init containers`],
        ],
        [
          "an init container's own policy",
          pod(init({ restartPolicy: 'Never' })),
          ['spec.initContainers[0].restartPolicy: Unsupported value: "Never": supported values: "Always"'],
        ],
      ],
      oldest,
    ))
})

describe('kinds: variables from files', () => {
  const key = `${at}.env[0].valueFrom.fileKeyRef`
  judges([
    ['a file in a volume of the pod', pod({ volumes }, env()), []],
    [
      'nothing',
      pod({ volumes }, env({ volumeName: '', path: '', key: '' })),
      [`${key}.key: Required value`, `${key}.volumeName: Required value`, `${key}.path: Required value`],
    ],
    ['a volume that is not there', pod({ volumes }, env({ volumeName: 'x' })), [`${key}.volumeName: Not found: "x"`]],
    [
      'a volume that outlives the pod',
      pod({ volumes }, env({ volumeName: 'other' })),
      [`${key}.volumeName: Invalid value: "other": referenced volume must be of type emptyDir`],
    ],
    [
      'a path that climbs',
      pod({ volumes }, env({ path: '../x' })),
      [`${key}.path: Invalid value: "../x": must not contain '..'`],
    ],
  ])

  it('are required to be there unless they are optional', () => {
    const [container] = specOf(created(pod({ volumes }, env())).object).containers ?? []
    assert.equal(container?.env?.[0]?.valueFrom?.fileKeyRef?.optional, false)
  })
})

describe("kinds: a pod's host name", () => {
  const override = 'spec.hostnameOverride'
  judges([
    ['one of its own', pod({ hostnameOverride: 'web-1.example.com' }), []],
    [
      'one of its own beside another',
      pod({ hostnameOverride: 'a', setHostnameAsFQDN: true, hostNetwork: true }),
      [
        `${override}: Forbidden: may not be specified when setHostnameAsFQDN is true`,
        `${override}: Forbidden: may not be specified when hostNetwork is true`,
      ],
    ],
    [
      'one that the kernel does not take',
      pod({ hostnameOverride: 'a'.repeat(65) }),
      [`${override}: Too long: may not be more than 64 bytes`],
    ],
  ])
})

describe('kinds: resources of a pod as a whole', () => {
  const resources = (limits: object, requests: object = limits): object => ({ resources: { limits, requests } })
  judges([
    ['more than its containers', pod(resources({ cpu: '2' }), resources({ cpu: '1' })), []],
    [
      'claims',
      pod({ resources: { claims: [{ name: 'x' }] }, resourceClaims: [{ name: 'x', resourceClaimName: 'y' }] }),
      ['spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level'],
    ],
    [
      'on Windows',
      pod({ ...resources({ cpu: '1' }), os: { name: 'windows' } }),
      ['spec.resources: Forbidden: may not be set for a windows pod'],
    ],
    [
      'a resource that only containers have',
      pod(resources({ 'ephemeral-storage': '1' })),
      ['limits', 'requests'].map(
        (list) =>
          `spec.resources.${list}[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"`,
      ),
    ],
    [
      'fewer requests than its containers and a sidecar',
      pod(
        { ...resources({ cpu: '2' }), ...init({ restartPolicy: 'Always', resources: { requests: { cpu: '1500m' } } }) },
        { resources: { requests: { cpu: '1' } } },
      ),
      [
        'spec.resources.requests[cpu]: Invalid value: "2": must be greater than or equal to aggregate container requests of 2500m',
      ],
    ],
    [
      'a lower limit than that of a container',
      pod(resources({ cpu: '2' }, { cpu: '1' }), { resources: { limits: { cpu: '3' }, requests: { cpu: '1' } } }),
      [`${at}.resources.limits[cpu]: Invalid value: "3": must be less than or equal to pod limits of 2`],
    ],
  ])

  it('that are not stated are those of the containers, or else the limits of the pod', () => {
    const huge = { 'hugepages-2Mi': '4Mi' }
    const container = { resources: { requests: { cpu: '1', ...huge }, limits: huge } }
    const { object } = created(pod({ resources: { limits: { cpu: '2', memory: '1Gi' } } }, container))
    assert.deepEqual(specOf(object).resources, {
      limits: { cpu: '2', memory: '1Gi', ...huge },
      requests: { cpu: '1', memory: '1Gi', ...huge },
    })
  })

  it('are none where none is stated', () => {
    const { object } = created(pod({ resources: {} }, { resources: { requests: { cpu: '1' } } }))
    assert.deepEqual(specOf(object).resources, {})
  })
})

describe('kinds: pods that are resized', () => {
  const requests = { cpu: '1', memory: '1Gi' }
  const resources = { requests }
  const change = (given: ApiObject, how: (object: Loose) => void, context = contextOf()): readonly string[] =>
    updated(created(given).object, how, { subresource: 'resize', context }).findings
  const whole = pod({ resources })
  const grows = (o: Loose): void => void (o.spec.resources.requests.cpu = '2')
  const initGrows = (o: Loose): void => void (o.spec.initContainers[0].resources.requests.cpu = '2')

  it('may change what the pod as a whole takes, but not to nothing', () => {
    assert.deepEqual(change(whole, grows), [])
    assert.deepEqual(
      change(pod({ resources }, { resources: { requests: { cpu: '1' } } }), (o: Loose) => delete o.spec.resources),
      ['spec.resources: Forbidden: pod-level resources cannot be removed'],
    )
    assert.deepEqual(
      change(whole, (o: Loose) => delete o.spec.resources.requests.memory),
      ['spec.resources.requests: Forbidden: pod-level resource requests cannot be removed'],
    )
  })

  it('may not where the gate for that is off', () => {
    assert.deepEqual(change(whole, grows, oldest), [
      ': Forbidden: resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled',
    ])
  })

  it('may change what an init container takes where the gate for that is on', () => {
    const given = pod(init({ resources }), { resources })
    assert.deepEqual(change(given, initGrows), [])
    assert.deepEqual(change(given, initGrows, oldest), [
      'spec: Forbidden: resources for non-sidecar init containers are immutable',
    ])
  })

  it('do not restart init containers for that', () => {
    const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }]
    assert.deepEqual(created(pod(init({ resources, resizePolicy }))).findings, [
      `spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": must not be set to 'RestartContainer' for non-sidecar initContainers`,
    ])
    assert.deepEqual(
      created(pod(init({ resources, resizePolicy })), oldest).findings.map((text) => text.replace(/\{.*\}/, '')),
      ['spec.initContainers[0].resizePolicy: Invalid value: []: must not be set for init containers'],
    )
  })

  it('run on a node that reports what containers take', () => {
    const running =
      (more: object = {}) =>
      (o: Loose) => {
        o.spec.containers[0].resources.requests.cpu = '2'
        o.status.containerStatuses = [{ name: 'c', state: { running: {} }, ...more }]
      }
    const old = created(pod({}, { resources })).object
    for (const [more, findings] of [
      [{}, ['spec: Forbidden: Pod running on node without support for resize']],
      [{ resources }, []],
    ] as const) {
      const before = updated(old, running(more), { subresource: 'status', validate: false }).object
      const spec = structuredClone(specOf(old))
      const grow = (o: Loose): void => void (o.spec.containers[0].resources.requests.cpu = '2')
      const found = updated({ ...before, spec } as ApiObject, grow, { subresource: 'resize' }).findings
      assert.deepEqual(found, findings)
    }
  })
})
