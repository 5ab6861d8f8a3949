import assert from 'node:assert/strict'
import type { ApiObject } from '../../../../lib/object/index.ts'
import { created, decoded, scheme, updated } from '../../../support/kindrun.ts'
import { valid } from '../../../support/valid/HorizontalPodAutoscaler.ts'

const v1 = { group: 'autoscaling', version: 'v1' }
const v2 = { group: 'autoscaling', version: 'v2' }
const prefix = 'autoscaling.alpha.kubernetes.io/'
type Spec = { metrics?: { type: string }[]; targetCPUUtilizationPercentage?: number; behavior?: unknown }
const specOf = (object: ApiObject): Spec => object['spec'] as Spec

describe('a horizontal pod autoscaler', () => {
  it('keeps fields that version 1 lacks in annotations', () => {
    const shown = scheme.objects.convert(decoded(valid), v1)
    assert.equal(specOf(shown).targetCPUUtilizationPercentage, 50)
    assert.equal(specOf(shown).metrics, undefined)
    assert.deepEqual(Object.keys(shown.metadata.annotations ?? {}), [`${prefix}metrics`, `${prefix}behavior`])
  })

  it('is converted from version 1 unchanged, without the annotations', () => {
    const object = decoded(valid)
    const back = scheme.objects.convert(scheme.objects.convert(object, v1), v2)
    assert.equal(back.metadata.annotations, undefined)
    assert.deepEqual(specOf(back).behavior, specOf(object).behavior)
    const byType = (spec: Spec) => spec.metrics?.toSorted((a, b) => (a.type < b.type ? -1 : 1))
    assert.deepEqual(byType(specOf(back)), byType(specOf(object)))
  })

  it('uses the CPU when version 1 has no target', () => {
    const spec = { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3 }
    const object = scheme.objects.convert(decoded({ ...valid, apiVersion: 'autoscaling/v1', spec }), v2)
    const target = { type: 'Utilization', averageUtilization: 80 }
    assert.deepEqual(specOf(object).metrics, [{ type: 'Resource', resource: { name: 'cpu', target } }])
  })

  it('ignores annotations that it cannot read', () => {
    const shown = scheme.objects.convert(decoded(valid), v1)
    shown.metadata.annotations = { [`${prefix}metrics`]: '{', [`${prefix}behavior`]: '[]', other: 'x' }
    const object = scheme.objects.convert(shown, v2)
    assert.deepEqual(object.metadata.annotations, { other: 'x' })
    assert.equal(specOf(object).metrics?.length, 1)
  })

  const cases: readonly (readonly [string, object, readonly string[]])[] = [
    ['more at least than at most', { minReplicas: 4 }, ['spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`']],
    ['a target without a group', { scaleTargetRef: { kind: 'D', name: 'd' } }, ['spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group']],
    ['a replication controller, which has none', { scaleTargetRef: { apiVersion: 'v1', kind: 'ReplicationController', name: 'd' } }, []],
    ['two sources in one metric', { metrics: [{ type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '1' } }, resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 1 } } }] }, ['spec.metrics[0].resource: Forbidden: must populate the given metric source only']],
    ['of several sources one is looked into', { metrics: [{ type: 'Resource', resource: { name: '' }, external: {}, object: { describedObject: { kind: 'k', name: '' }, metric: { name: 'm' }, target: { type: 'Value', value: '1' } } }] }, ['spec.metrics[0].object.describedObject.name: Required value', 'spec.metrics[0].external: Forbidden: must populate the given metric source only', 'spec.metrics[0].object: Forbidden: must populate the given metric source only']],
    ['an amount that is not positive', { metrics: [{ type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '0' } } }] }, ['spec.metrics[0].pods.target.averageValue: Invalid value: "0": must be positive', 'spec.metrics[0].pods.target.averageValue: Required value: must specify a positive target averageValue']],
    ['no policies, which is not the same as nothing said of them', { behavior: { scaleUp: { policies: [] }, scaleDown: {} } }, ['spec.behavior.scaleUp.policies: Required value: must specify at least one Policy']],
    ['nothing said of policies', { behavior: { scaleUp: {}, scaleDown: { policies: null } } }, []],
  ] // biome-ignore format: a table
  for (const [title, spec, expected] of cases)
    it(`${title}: ${expected.length === 0 ? 'valid' : expected.join('; ')}`, () =>
      assert.deepEqual(created({ ...valid, spec: { ...specOf(valid), ...spec } }).findings, expected))

  it('may keep an existing target without a group', () => {
    const { object } = created({ ...valid, spec: { ...specOf(valid), scaleTargetRef: { kind: 'D', name: 'd' } } })
    assert.deepEqual(updated(object, () => undefined).findings, [])
  })
})
