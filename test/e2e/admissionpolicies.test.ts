import assert from 'node:assert/strict'
import { eventually, eventuallyEquals } from '../support/eventually.ts'
import { defineOnReplicas, ok, type Stage, splitArguments as split } from '../support/stages.ts'

const limits = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: keys.example.com }
spec:
  failurePolicy: Fail
  paramKind: { apiVersion: v1, kind: ConfigMap }
  matchConstraints:
    resourceRules:
    - { apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps] }
    objectSelector: { matchLabels: { limited: "yes" } }
  variables:
  - { name: max, expression: "int(params.data.max)" }
  validations:
  - expression: object.data.size() <= variables.max
    messageExpression: "'at most ' + string(variables.max) + ' keys'"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: keys.example.com }
spec:
  policyName: keys.example.com
  validationActions: [Deny]
  paramRef: { name: limits, namespace: default, parameterNotFoundAction: Deny }
`
const labels = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: { name: labels.example.com }
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - { apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps] }
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: 'Object{metadata: Object.metadata{labels: {"limited": "yes"}}}'
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: { name: labels.example.com }
spec: { policyName: labels.example.com }
`

function defineScript(stage: () => Stage): void {
  it('policies are in force on every replica, with the parameters that they name', async () => {
    const { write, read } = stage()
    await ok(write, 'create configmap limits --from-literal=max=1')
    await ok(write, 'apply -f -', limits)
    await ok(write, 'apply -f -', labels)
    assert.match(await ok(read, 'get validatingadmissionpolicies'), /^keys.example.com +1 +v1\/ConfigMap +\S+$/m)
    const create = 'create configmap many --from-literal=a=1 --from-literal=b=2 --dry-run=server'
    for (const kubectl of [read, write])
      await eventually(
        async () => (await kubectl(split(create))).stderr.includes("'keys.example.com' denied request: at most 1 keys"),
        'the policies are in force',
        20_000,
      )
    assert.equal(
      await ok(read, "create configmap few --from-literal=a=1 --dry-run=server -o jsonpath='{.metadata.labels}'"),
      '{"limited":"yes"}',
    )
  })

  it('a changed parameter takes effect everywhere, and a missing one refuses', async () => {
    const { write, read } = stage()
    const create = 'create configmap many --from-literal=a=1 --from-literal=b=2 --dry-run=server'
    await ok(write, `patch configmap limits --type=merge -p '{"data":{"max":"5"}}'`)
    await eventuallyEquals(async () => (await read(split(create))).code, 0, 'the parameter has changed', 20_000)
    await ok(write, 'delete configmap limits')
    await eventually(
      async () => (await read(split(create))).stderr.includes('no params found for policy binding'),
      'the parameter is gone',
      20_000,
    )
  })

  it('policies can be deleted, and are gone everywhere', async () => {
    const { write, read } = stage()
    await ok(write, 'delete validatingadmissionpolicy,validatingadmissionpolicybinding keys.example.com')
    await ok(write, 'delete mutatingadmissionpolicy labels.example.com')
    const create = 'create configmap many --from-literal=a=1 --dry-run=server -o name'
    await eventuallyEquals(async () => (await read(split(create))).code, 0, 'the policies are gone', 20_000)
  })
}

defineOnReplicas('kubectl on admission policies', defineScript)
