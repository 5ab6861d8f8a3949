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
      `${head}  next:\n    statusTemplate: |\n      podIP: {{ .Node.IP }}\n`,
      'f:8: spec.next.statusTemplate: templates other than {{ Now }} are not known here',
    ],
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
  })
})
