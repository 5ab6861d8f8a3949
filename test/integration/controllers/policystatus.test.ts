import assert from 'node:assert/strict'
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
  ValidatingAdmissionPolicyStatus,
} from '../../../api/gen/admissionregistration.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { eventually } from '../../support/eventually.ts'

const { validatingadmissionpolicies } = resources.admissionregistration.v1
const rule = (group: string, ...kinds: readonly string[]): object => ({
  operations: ['CREATE'],
  apiGroups: [group],
  apiVersions: ['v1'],
  resources: kinds,
})
const deployments = [rule('apps', 'deployments')]

interface Row {
  readonly rules?: readonly object[]
  readonly validations: readonly object[]
  readonly more?: object
  /** By field, what the status says. */
  readonly warnings: Readonly<Record<string, string>>
}

const rows: Readonly<Record<string, Row>> = {
  'fields that a kind has are fine': {
    validations: [
      {
        expression: 'object.spec.replicas > 1 && object.metadata.labels["a"] == oldObject.metadata.name',
        messageExpression: '"at " + string(object.metadata.creationTimestamp) + request.name',
      },
      { expression: 'object.spec.template.spec.containers.all(c, c.image.startsWith("a") && c.ports[0].hostPort < 9)' },
    ],
    warnings: {},
  },
  'a field that it does not have is told': {
    validations: [
      { expression: 'true' },
      { expression: 'object.foo > 1', messageExpression: 'string(object.spec.bar)' },
    ],
    warnings: {
      'spec.validations[1].expression':
        "apps/v1, Kind=Deployment: ERROR: <input>:1:7: undefined field 'foo'\n | object.foo > 1\n | ......^\n",
      'spec.validations[1].messageExpression':
        "apps/v1, Kind=Deployment: ERROR: <input>:1:19: undefined field 'bar'\n | string(object.spec.bar)\n | ..................^\n",
    },
  },
  'an operator that does not take its type is told': {
    validations: [{ expression: 'object.spec.replicas == "1"' }],
    warnings: {
      'spec.validations[0].expression':
        "apps/v1, Kind=Deployment: ERROR: <input>:1:22: found no matching overload for '_==_' applied to '(int, string)'\n | object.spec.replicas == \"1\"\n | .....................^\n",
    },
  },
  'each kind is told on its own': {
    rules: [rule('', 'pods', 'configmaps', 'pods/status', '*'), rule('*', 'secrets')],
    validations: [{ expression: 'object.data.size() > 0' }],
    warnings: {
      'spec.validations[0].expression':
        "/v1, Kind=Pod: ERROR: <input>:1:7: undefined field 'data'\n | object.data.size() > 0\n | ......^\n",
    },
  },
  'variables and parameters have types, too': {
    more: {
      paramKind: { apiVersion: 'things.example.com/v1', kind: 'Thing' },
      variables: [{ name: 'max', expression: 'params.max' }],
    },
    validations: [{ expression: 'variables.max < 3 && params.nothing' }],
    warnings: {
      'spec.validations[0].expression':
        "apps/v1, Kind=Deployment: ERROR: <input>:1:28: undefined field 'nothing'\n | variables.max < 3 && params.nothing\n | ...........................^\n",
    },
  },
  'custom kinds have types': {
    rules: [rule('things.example.com', 'things')],
    validations: [{ expression: 'object.max < 3' }, { expression: 'object.min < 3' }],
    warnings: {
      'spec.validations[1].expression':
        "things.example.com/v1, Kind=Thing: ERROR: <input>:1:7: undefined field 'min'\n | object.min < 3\n | ......^\n",
    },
  },
  'kinds that nothing serves are not looked at': {
    rules: [rule('nothing.example.com', 'nothings')],
    validations: [{ expression: 'object.foo > 1' }],
    warnings: {},
  },
}

describe('the status of admission policies', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane({ controllers: ['validatingadmissionpolicy-status-controller'] })
    await plane.client.resource(resources.apiextensions.v1.customresourcedefinitions).create({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.things.example.com' },
      spec: {
        group: 'things.example.com',
        scope: 'Namespaced',
        names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { max: { type: 'integer' } } } },
          },
        ],
      },
    } as never)
    await eventually(async () => {
      const document = await plane.client.document('/openapi/v3')
      return JSON.stringify(document).includes('things.example.com')
    }, 'the definition is served')
  })
  after(async () => {
    await plane.stop()
  })

  let serial = 0
  for (const [title, { rules = deployments, validations, more = {}, warnings }] of Object.entries(rows))
    it(title, async () => {
      const policies = plane.client.resource(validatingadmissionpolicies)
      const name = `p${++serial}`
      const spec = { matchConstraints: { resourceRules: rules }, validations, ...more }
      await policies.create({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name },
        spec: spec as ValidatingAdmissionPolicySpec,
      } as ValidatingAdmissionPolicy)
      let status: ValidatingAdmissionPolicyStatus | undefined
      await eventually(async () => {
        status = (await policies.get({ name })).status as ValidatingAdmissionPolicyStatus | undefined
        return status?.observedGeneration === 1
      }, 'the policy is looked at')
      const told = (status?.typeChecking?.expressionWarnings ?? []).map(({ fieldRef, warning }) => [fieldRef, warning])
      assert.deepEqual(Object.fromEntries(told), warnings)
    })
})
