import assert from 'node:assert/strict'
import { createSeededRandom } from '../../../lib/base/index.ts'
import { laidOver } from '../../../lib/hollownode/stages/overlay.ts'
import { parseStages } from '../../../lib/hollownode/stages/parse.ts'
import { parsePath } from '../../../lib/hollownode/stages/path.ts'
import { chooseStage, type Stage } from '../../../lib/hollownode/stages/stage.ts'

const head =
  'apiVersion: kwok.x-k8s.io/v1alpha1\nkind: Stage\nmetadata:\n  name: s\nspec:\n  resourceRef: {apiGroup: v1, kind: Pod}\n'
const object = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', labels: { app: 'web' }, annotations: { 'a/wait': '2s', 'a/b': 'x' } },
  spec: { containers: [{ name: 'c' }] },
  status: {
    phase: 'Running',
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Other', status: 'False' },
    ],
  },
}
const one = (text: string): Stage => {
  const [stage] = parseStages(head + text, 'f')
  assert.ok(stage)
  return stage
}

describe('stages of hollow nodes', () => {
  const paths: readonly (readonly [path: string, values: readonly unknown[]])[] = [
    ['.status.phase', ['Running']],
    ['.metadata.annotations["a/b"]', ['x']],
    [".metadata.annotations['a/b']", ['x']],
    ['.spec.containers[0].name', ['c']],
    ['.status.conditions.[] | select( .type == "Ready" ) | .status', ['True']],
    ['.status.conditions[].type', ['Ready', 'Other']],
    ['.metadata.deletionTimestamp', []],
    ['.metadata.constructor', []],
    ['.', [object]],
  ]
  for (const [path, values] of paths)
    it(`the path ${path} is read as jq reads it`, () => {
      assert.deepEqual(parsePath(path)(object), values)
    })

  const matches: readonly (readonly [selector: string, isMatch: boolean])[] = [
    ['matchLabels: {app: web}', true],
    ['matchLabels: {app: db}', false],
    ['matchAnnotations: {a/b: x}', true],
    ['matchExpressions: [{key: .status.phase, operator: In, values: [Pending, Running]}]', true],
    ['matchExpressions: [{key: .status.phase, operator: NotIn, values: [Running]}]', false],
    ['matchExpressions: [{key: .metadata.deletionTimestamp, operator: DoesNotExist}]', true],
    ['matchExpressions: [{key: .metadata.deletionTimestamp, operator: Exists}]', false],
  ]
  for (const [selector, isMatch] of matches)
    it(`${selector} ${isMatch ? 'selects' : 'leaves out'} the pod`, () => {
      assert.equal(one(`  selector:\n    ${selector}\n`).matches(object), isMatch)
    })

  const refusals: readonly (readonly [text: string, expected: string])[] = [
    ['kind: [', 'f:1: '],
    ['apiVersion: v1\nkind: Stage\n', 'f:1: apiVersion: only kwok.x-k8s.io/v1alpha1 is read'],
    [head.replace('Stage', 'Metric'), 'f:2: kind: only Stage is read'],
    [head.replace('kind: Pod', 'kind: Service'), 'f:6: spec.resourceRef: stages are of v1 Pod or v1 Node'],
    [`${head}  delays: {}\n`, 'f:7: spec.delays: is not known here'],
    [`${head}  weight: -1\n`, 'f:7: spec.weight: is no number from 0 to 1000000'],
    [
      `${head}  delay:\n    durationMilliseconds: 9\n    jitterDurationMilliseconds: 5\n`,
      'f:9: spec.delay.jitterDurationMilliseconds: is less than durationMilliseconds',
    ],
    [
      `${head}  selector:\n    matchExpressions:\n    - {key: status, operator: In, values: [a]}\n`,
      'f:9: spec.selector.matchExpressions.0.key: "status" is no path of this subset of jq',
    ],
    [
      `${head}  selector:\n    matchExpressions:\n    - {key: .a, operator: Gt, values: [a]}\n`,
      'f:9: spec.selector.matchExpressions.0.operator: is none of In, NotIn, Exists and DoesNotExist',
    ],
    [
      `${head}  selector:\n    matchExpressions:\n    - {key: .a, operator: In}\n`,
      'f:9: spec.selector.matchExpressions.0: In and NotIn have values, Exists and DoesNotExist have none',
    ],
    [
      `${head}  next:\n    statusTemplate: |\n\n      phase: Running\n      podIP: {{ lookup "v1" }}\n`,
      'f:11: spec.next.statusTemplate: the function "lookup" is not known here',
    ],
    [`${head}  next: {statusTemplate: "{{ end }}"}\n`, 'f:7: spec.next.statusTemplate: unexpected {{end}}'],
    [`${head}  next:\n    patches: [{subresource: scale}]\n`, 'f:8: spec.next.patches.0.subresource: only status is'],
    [`${head}  next:\n    patches: [{type: apply}]\n`, 'f:8: spec.next.patches.0.type: is none of json, merge and'],
    [`${head}  next:\n    patches: [{root: spec}]\n`, 'f:8: spec.next.patches.0: a patch has a template'],
    [
      `${head}  next:\n    patches: [{subresource: status, type: json, template: "[]"}]\n`,
      'f:8: spec.next.patches.0.type: a patch of the status is of type merge or strategic',
    ],
    [
      `${head}  next:\n    patches:\n    - root: spec\n      template: text\n`,
      'f:10: spec.next.patches.0.template: is no object in YAML',
    ],
    [`${head}  next: {}\n  steps: []\n`, 'f:8: spec.steps: a Stage has either next or steps'],
    [`${head}  steps:\n  - run: x\n`, 'f:8: spec.steps.0.run: is not known here'],
    [`${head}  weightFrom: {jq: {key: .a}}\n`, 'f:7: spec.weightFrom.jq.key: is not known here'],
    [`${head}  next:\n    statusTemplate: just text\n`, 'f:8: spec.next.statusTemplate: is no object in YAML'],
    [`${head}  next:\n    event: {type: Bad}\n`, 'f:8: spec.next.event.type: is none of Normal and Warning'],
    [`${head}---\n${head}  other: 1\n`, 'f:14: spec.other: is not known here'],
  ]
  for (const [text, expected] of refusals)
    it(`a file is refused with ${expected}`, () => {
      assert.throws(
        () => parseStages(text, 'f'),
        (error: Error) => error.message.startsWith(expected) || assert.fail(error.message),
      )
    })

  it('a file of aliases of aliases, and a path without an end, are refused soon', () => {
    const bomb = `a0: &a0 [x, x]\n${Array.from({ length: 30 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]\n`).join('')}`
    assert.throws(() => parseStages(bomb, 'f'), /^Error: f:1: .*alias/)
    assert.throws(() => parsePath(`.${'a'.repeat(2000)}`), /at most 1000 characters/)
    assert.throws(() => parseStages('x'.repeat(1_100_000), 'f'), /larger than 1048576 bytes/)
  })

  it('delays are fixed, from a field, or drawn between two', () => {
    const random = createSeededRandom(1)
    assert.equal(one('  delay: {durationMilliseconds: 70}\n').delayMs(object, 0, random), 70)
    assert.equal(
      one('  delay: {durationFrom: {expressionFrom: \'.metadata.annotations["a/wait"]\'}}\n').delayMs(
        object,
        0,
        random,
      ),
      2000,
    )
    const drawn = one('  delay: {durationMilliseconds: 100, jitterDurationMilliseconds: 200}\n')
    for (let count = 0; count < 50; count++) {
      const delayMs = drawn.delayMs(object, 0, random)
      assert.ok(delayMs >= 100 && delayMs < 200, String(delayMs))
    }
  })

  const moment = {
    object,
    nowMs: Date.parse('2030-01-01T00:00:00Z'),
    startedAtMs: Date.parse('2029-01-01T00:00:00Z'),
    node: { name: 'hollow-0', address: '127.0.0.1', port: 1234, version: 'v1.36.0' },
    podIp: (namespace: string, name: string) => (`${namespace}/${name}` === 'default/p' ? '10.128.0.7' : ''),
  }
  const bodiesOf = (text: string): unknown[] =>
    one(text).steps.flatMap((step) => (step.is === 'patch' ? [[step.of, step.type, step.body(moment)]] : [step]))

  it('templates see the object, its node and the time', () => {
    const text = `  next:
    statusTemplate: |
      {{ $now := Now }}
      {{ with .missing }}{{ . }}{{ else }}
      hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
      {{ end }}
      podIP: {{ PodIPWith .spec.nodeName ( or .spec.hostNetwork false ) "u" .metadata.name "default" | Quote }}
      podIPs: {{ range PodIPsWith "n" true "u" "p" "default" }}
      - ip: {{ . }}
      {{ end }}
      nodeInfo: {kubeletVersion: {{ Version }}, node: {{ NodeName }}, port: {{ NodePort }}, since: {{ StartTime }}}
      conditions:
      {{ range .spec.containers }}
      - { type: {{ .name | Quote }}, lastTransitionTime: {{ $now }} }
      {{ end }}
      {{ range NodeConditions }}
      - { type: {{ .type }}, status: {{ .status | Quote }} }
      {{ end }}
      {{ YAML .metadata.labels }}
`
    const condition = (type: string, status: string): unknown => ({ type, status })
    const status = {
      hostIP: '127.0.0.1',
      podIP: '10.128.0.7',
      podIPs: [{ ip: '127.0.0.1' }],
      nodeInfo: { kubeletVersion: 'v1.36.0', node: 'hollow-0', port: 1234, since: '2029-01-01T00:00:00Z' },
      conditions: [
        { type: 'c', lastTransitionTime: '2030-01-01T00:00:00Z' },
        condition('MemoryPressure', 'False'),
        condition('DiskPressure', 'False'),
        condition('PIDPressure', 'False'),
        condition('Ready', 'True'),
      ],
      app: 'web',
    }
    assert.deepEqual(bodiesOf(text), [['status', 'strategic', status]])
  })

  it('a template whose result makes no sense for an object is named with its line', () => {
    const body =
      (template: string): (() => unknown) =>
      () =>
        bodiesOf(`  next:\n    statusTemplate: '${template}'\n`)
    assert.throws(body('{{ .metadata.name }}'), /spec\.next\.statusTemplate: the result is no object in YAML/)
    assert.throws(body('a: {{ .metadata.name.first }}'), /a string has no field first/)
  })

  it('a stage has steps in their order, by next or by steps, with expressions of either form', () => {
    const next = `  next:
    event: {reason: Seen}
    statusTemplate: 'phase: Running'
    patches:
    - {root: metadata, template: 'annotations: {at: {{ Now | Quote }}}'}
    - {type: json, template: '[{op: remove, path: /metadata/labels/app}]'}
    - {subresource: status, type: strategic, template: 'status: {reason: x}'}
    finalizers: {add: [{value: a/b}]}
    delete: true
`
    const event = { is: 'event', type: 'Normal', reason: 'Seen', message: '' }
    const finalizers = { is: 'finalizers', add: ['a/b'], remove: [], empty: false }
    const annotated = { metadata: { annotations: { at: '2030-01-01T00:00:00Z' } } }
    assert.deepEqual(bodiesOf(next), [
      event,
      ['status', 'strategic', { phase: 'Running' }],
      ['object', 'merge', annotated],
      ['object', 'json', [{ op: 'remove', path: '/metadata/labels/app' }]],
      ['status', 'strategic', { reason: 'x' }],
      finalizers,
      { is: 'delete' },
    ])
    const steps = `  selector: {matchExpressions: [{jq: {key: .status.phase, operator: In, values: [Running]}}]}
  delay: {durationFrom: {jq: {expression: '.metadata.annotations["a/wait"]'}}}
  weightFrom: {jq: {expression: '.metadata.annotations["a/b"]'}}
  steps:
  - delete: true
  - event: {reason: Seen}
  - patch: {subresource: status, root: status, template: 'reason: x'}
`
    assert.deepEqual(bodiesOf(steps), [{ is: 'delete' }, event, ['status', 'merge', { reason: 'x' }]])
    assert.equal(one(steps).matches(object), true)
    assert.equal(one(steps).delayMs(object, 0, createSeededRandom(1)), 2000)
  })

  it('weights decide between stages, alike for the same seed', () => {
    const stages = [one('  weight: 1\n'), one('  weight: 9\n')]
    const draw = (): number[] => {
      const random = createSeededRandom(3)
      return Array.from({ length: 200 }, () => stages.indexOf(chooseStage(stages, object, random) as Stage))
    }
    const drawn = draw()
    assert.deepEqual(draw(), drawn)
    const second = drawn.filter((index) => index === 1).length
    assert.ok(second > 160 && second < 200, String(second))
  })

  it('a status is laid over another by the names of its entries', () => {
    assert.deepEqual(
      laidOver(object.status, { phase: 'Failed', reason: 'Broken', conditions: [{ type: 'Ready', status: 'False' }] }),
      {
        phase: 'Failed',
        reason: 'Broken',
        conditions: [
          { type: 'Ready', status: 'False' },
          { type: 'Other', status: 'False' },
        ],
      },
    )
    assert.deepEqual(laidOver({ phase: 'Running' }, { phase: null }), {})
    assert.deepEqual(laidOver({ state: { running: { startedAt: 'x' } } }, { state: { terminated: { exitCode: 1 } } }), {
      state: { terminated: { exitCode: 1 } },
    })
  })
})
