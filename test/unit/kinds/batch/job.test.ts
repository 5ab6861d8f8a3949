import assert from 'node:assert/strict'
import type { ApiObject } from '../../../../lib/object/index.ts'
import type { Loose } from '../../../support/kindcases.ts'
import { contextOf, created, updated } from '../../../support/kindrun.ts'

function job(spec: object = {}, labels?: object): ApiObject {
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j', uid: 'u' }, spec: { template, ...spec } }
}

describe('kinds: jobs as they are made', () => {
  const conflicts: readonly [title: string, given: ApiObject, causes: readonly string[]][] = [
    [
      'labels of another job',
      job({}, { 'controller-uid': 'other', 'batch.kubernetes.io/job-name': 'other' }),
      ["must be 'u'", "must be 'j'"],
    ],
    [
      'the selector of another job',
      job({ selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'other' } } }),
      ['`selector` not auto-generated', '`selector` does not match template `labels`'],
    ],
    ['its own', job({}, { 'controller-uid': 'u', mine: 'x' }), []],
  ]
  it('a selector that selects nothing causes that one error only', () => {
    const given = job({ manualSelector: true, selector: { matchLabels: { a: 'b c' } } }, { a: 'b' })
    const wrong = 'spec.selector.matchLabels: Invalid value: "b c": a valid label must be'
    const { findings } = created(given)
    assert.deepEqual(
      findings.map((finding) => finding.slice(0, wrong.length)),
      [wrong],
    )
  })
  for (const [title, given, causes] of conflicts)
    it(`a job with its own selector brings ${title}`, () => {
      const { findings } = created(given)
      assert.equal(findings.length, causes.length, findings.join('\n'))
      for (const [index, cause] of causes.entries()) assert.equal(findings[index]?.slice(-cause.length), cause)
    })
})

const time = (second: number): string => `2025-05-01T00:00:0${second}Z`
const holds = (...types: string[]): object[] => types.map((type) => ({ type, status: 'True' }))
const complete = {
  startTime: time(0),
  completionTime: time(1),
  succeeded: 1,
  conditions: holds('SuccessCriteriaMet', 'Complete'),
}
const failed = { startTime: time(0), failed: 1, conditions: holds('FailureTarget', 'Failed') }
const indexed = { completionMode: 'Indexed', completions: 5, parallelism: 2, backoffLimitPerIndex: 1 }

describe("kinds: a job's status", () => {
  const cases: readonly [title: string, before: object, after: object, causes: readonly string[], spec?: object][] = [
    ['runs', {}, { startTime: time(0), active: 2, ready: 1 }, []],
    ['completes', { startTime: time(0), active: 1 }, complete, []],
    ['fails', { startTime: time(0), active: 1 }, failed, []],
    [
      'completes without what a complete job has',
      {},
      { conditions: holds('Complete') },
      [
        'status.completionTime: Required value: completionTime is required for Complete jobs',
        'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
        'status.startTime: Required value: startTime is required for finished job',
      ],
    ],
    [
      'completes with pods that run',
      {},
      { ...complete, active: 1, terminating: 1, uncountedTerminatedPods: { succeeded: ['u'] } },
      [
        'status.active: Invalid value: 1: active>0 is invalid for finished job',
        'status.uncountedTerminatedPods: Invalid value: {"succeeded":["u"]}: must be empty for finished job',
        'status.terminating: Invalid value: 1: terminating>0 is invalid for finished job',
      ],
    ],
    [
      'completes and fails',
      {},
      { ...complete, conditions: holds('SuccessCriteriaMet', 'Complete', 'FailureTarget', 'Failed') },
      [
        'status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions',
        'status.conditions: Invalid value: cannot set Complete=True and FailureTarget=true conditions',
        'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions',
        'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
      ],
    ],
    [
      'fails unannounced',
      { startTime: time(0) },
      { startTime: time(0), conditions: holds('Failed') },
      ['status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition'],
    ],
    [
      'is complete before it began',
      {},
      { ...complete, startTime: time(2) },
      ['status.completionTime: Invalid value: "2025-05-01T00:00:01Z": must be equal to or after `startTime`'],
    ],
    [
      'has an end and no completion',
      {},
      { completionTime: time(1) },
      [
        'status.completionTime: Invalid value: "2025-05-01T00:00:01Z": cannot set completionTime when there is no Complete=True condition',
      ],
    ],
    [
      'comes back to life',
      failed,
      { startTime: time(0) },
      [
        'status.conditions: Invalid value: cannot disable the terminal Failed=True condition',
        'status.conditions: Invalid value: cannot disable the terminal FailureTarget=True condition',
        'status.failed: Invalid value: 0: cannot decrease the failed counter',
      ],
    ],
    [
      'forgets what it came to',
      complete,
      { ...complete, startTime: time(1), completionTime: time(2), succeeded: 0, conditions: holds('Complete') },
      [
        'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
        'status.succeeded: Invalid value: 0: cannot decrease the succeeded counter',
        'status.completionTime: Invalid value: "2025-05-01T00:00:02Z": field is immutable',
        'status.startTime: Invalid value: "2025-05-01T00:00:01Z": field is immutable for unsuspended job once set',
        'status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition',
      ],
    ],
    [
      'was wrong already, and something else changes',
      { conditions: holds('Complete') },
      { conditions: holds('Complete', 'X') },
      [],
    ],
    ['begins anew when it was suspended', { startTime: time(0) }, {}, [], { suspend: true }],
    [
      'begins anew when it is resumed',
      { startTime: time(0), conditions: holds('Suspended') },
      { startTime: time(1) },
      [],
    ],
    [
      'more pods are ready than there are',
      {},
      { startTime: time(0), active: 1, ready: 2 },
      ['status.ready: Invalid value: 2: cannot set more ready pods than active'],
    ],
    ['indexes', {}, { completedIndexes: '0-2', failedIndexes: '3' }, [], indexed],
    [
      'indexes that are none, and that overlap',
      {},
      { completedIndexes: '0,2-9', failedIndexes: 'x' },
      [
        'status.completedIndexes: Invalid value: "0,2-9": error parsing completedIndexes: too large index: "9"',
        'status.failedIndexes: Invalid value: "x": error parsing failedIndexes: cannot convert string to integer for index: "x"',
      ],
      indexed,
    ],
    [
      'an index that succeeded and failed',
      {},
      { completedIndexes: '0,2-4', failedIndexes: '1,3' },
      ['status.failedIndexes: Invalid value: "1,3": failedIndexes and completedIndexes overlap at index: 3'],
      indexed,
    ],
    [
      'indexes of a job that has none',
      {},
      { completedIndexes: '0', failedIndexes: '' },
      [
        'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
        'status.failedIndexes: Invalid value: "": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
      ],
    ],
    [
      'fewer have succeeded as an elastic job shrinks',
      { succeeded: 2 },
      { succeeded: 1 },
      [],
      { ...indexed, completions: 2 },
    ],
    [
      'uncounted pods twice',
      {},
      { uncountedTerminatedPods: { succeeded: ['a', ''], failed: ['a'] } },
      [
        'status.uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty',
        'status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
      ],
    ],
  ]
  for (const [title, before, after, causes, spec = {}] of cases)
    it(title, () => {
      const old = created(job(spec)).object
      old['status'] = before
      const { findings } = updated(old, (o: Loose) => (o.status = after), { subresource: 'status' })
      assert.deepEqual(findings, causes)
    })

  it('may change in any way where the gate is off', () => {
    const old = created(job()).object
    const context = { ...contextOf(), gate: () => false }
    const conditions = holds('Complete')
    const { findings } = updated(old, (o: Loose) => (o.status = { conditions }), { subresource: 'status', context })
    assert.deepEqual(findings, [])
  })
})

describe("kinds: a job's fields that can't change any more", () => {
  const cases: readonly [title: string, spec: object, change: (spec: Loose) => void, shown: string][] = [
    [
      'maps keep their keys',
      { suspend: true },
      ({ template }) => {
        template.spec.containers[0].resources = { limits: { cpu: '1', 'example.com/x': '2' } }
        template.spec.overhead = { memory: '1Gi' }
      },
      '"Resources":{"Limits":{"cpu":"1","example.com/x":"2"}}',
    ],
    [
      'and so does metadata',
      {},
      ({ template }) => (template.spec.topologySpreadConstraints = [{ labelSelector: { matchLabels: { app: 'x' } } }]),
      '"TopologySpreadConstraints":[{"LabelSelector":{"matchLabels":{"app":"x"}}}]',
    ],
    ['fields have other names', {}, (spec) => (spec.completionMode = 'Indexed'), '"Indexed"'],
    [
      'what is not there is null',
      { podFailurePolicy: { rules: [{ action: 'FailJob', onPodConditions: [{ type: 'X', status: 'True' }] }] } },
      (spec) => delete spec.podFailurePolicy,
      'null',
    ],
  ]
  for (const [title, spec, change, shown] of cases)
    it(title, () => {
      const old = created(job(spec)).object
      const { findings } = updated(old, (o: Loose) => change(o.spec))
      const found = findings.filter((finding) => finding.endsWith(': field is immutable'))
      assert.equal(found.length, 1, findings.join('\n'))
      assert.ok(found[0]?.includes(shown), findings.join('\n'))
    })
})

describe('kinds: the template of a suspended job', () => {
  const spec = (suspend: boolean, pod: object = {}): object => ({
    suspend,
    template: {
      metadata: {},
      spec: {
        restartPolicy: 'Never',
        containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }],
        initContainers: [{ name: 'first', image: 'i' }],
        ...pod,
      },
    },
  })
  const container = { name: 'c', image: 'i', resources: { requests: { cpu: '4' } } }
  const wanted = { containers: [container], nodeSelector: { zone: 'a' } }
  const start = '2025-05-01T00:00:00Z'
  const atRest = [{ type: 'Suspended', status: 'True' }]
  const cases: readonly [title: string, suspended: boolean, status: object, pod: object, isOpen: boolean][] = [
    ['has not begun: resources and place', true, {}, wanted, true],
    ['has not begun: resources of its first containers', true, {}, firstWith({ limits: { cpu: '2' } }), true],
    ['has not begun: another image', true, {}, { containers: [{ ...container, image: 'other' }] }, false],
    ['has not begun: another container', true, {}, { containers: [{ ...container, name: 'd' }] }, false],
    ['has come to rest', true, { startTime: start, conditions: atRest }, wanted, true],
    ['has begun', true, { startTime: start }, wanted, false],
    ['has pods still', true, { startTime: start, conditions: atRest, active: 1 }, wanted, false],
    ['is not suspended', false, {}, wanted, false],
  ]
  for (const [title, suspended, status, pod, isOpen] of cases)
    it(`${isOpen ? 'may change' : 'stays'} where the job ${title}`, () => {
      const old = { ...job(spec(suspended)), status }
      const { findings } = updated(old, (object) => void Object.assign(object, job(spec(suspended, pod))))
      assert.equal(
        findings.some((finding) => finding.startsWith('spec.template.spec: Invalid value:')),
        !isOpen,
      )
    })
})

function firstWith(resources: object): object {
  return { initContainers: [{ name: 'first', image: 'i', resources }] }
}
