import assert from 'node:assert/strict'
import { admissionOrder, timingsBy } from '../../../console/state/admissionorder.ts'

const rule = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] }
const policy = (name: string, rules: unknown[]) => ({
  metadata: { name },
  spec: { failurePolicy: 'Fail', matchConstraints: { resourceRules: rules } },
})
const binding = (name: string, policyName: string) => ({ metadata: { name }, spec: { policyName } })
const hooks = (name: string, ...rules: unknown[][]) => ({
  metadata: { name },
  webhooks: rules.map((each, at) => ({ name: `${name}-${at}`, failurePolicy: 'Ignore', rules: each })),
})

describe('what a write meets, in the console', () => {
  it('policies by their bindings, and webhooks, in the order of the phases and of their names', () => {
    const objects = {
      validatingwebhookconfigurations: [hooks('z', [{ ...rule, resources: ['*'] }])],
      validatingadmissionpolicies: [policy('p', [rule]), policy('unbound', [rule]), policy('other', [])],
      validatingadmissionpolicybindings: [binding('b2', 'p'), binding('b1', 'p'), binding('b3', 'other')],
      mutatingwebhookconfigurations: [
        hooks('n', [rule]),
        hooks(
          'm',
          [{ ...rule, operations: ['*'] }],
          [{ ...rule, operations: ['UPDATE'] }],
          [{ ...rule, apiGroups: [''] }],
        ),
      ],
      mutatingadmissionpolicies: [policy('q', [{ ...rule, apiGroups: ['*'] }])],
      mutatingadmissionpolicybindings: [binding('b', 'q')],
    }
    const write = { operation: 'CREATE', group: 'apps', resource: 'deployments' }
    assert.deepEqual(
      admissionOrder(write, objects).map((step) => Object.values(step).join(' ')),
      [
        'MutatingAdmissionPolicy q b Fail',
        'MutatingAdmissionWebhook m m-0 Ignore',
        'MutatingAdmissionWebhook n n-0 Ignore',
        'ValidatingAdmissionPolicy p b1 Fail',
        'ValidatingAdmissionPolicy p b2 Fail',
        'ValidatingAdmissionWebhook z z-0 Ignore',
      ],
    )
    assert.deepEqual(admissionOrder(write, {}), [])
  })

  it('times are means of a histogram by a label, of the series that are asked for', () => {
    const exposition = [
      'h_sum{name="a",operation="CREATE"} 0.5',
      'h_count{name="a",operation="CREATE"} 100',
      'h_sum{name="a",operation="UPDATE"} 7',
      'h_count{name="a",operation="UPDATE"} 1',
      'h_count{name="b",operation="CREATE"} 0',
      'h_bucket{name="a",operation="CREATE",le="1"} 5',
      'h_more_sum{name="c",operation="CREATE"} 5',
    ].join('\n')
    assert.deepEqual(
      [...timingsBy(exposition, 'h', 'name', { operation: 'CREATE' })],
      [['a', { count: 100, meanMs: 5 }]],
    )
  })
})
