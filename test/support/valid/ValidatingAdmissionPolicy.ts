import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'vv7-x' },
  spec: {
    failurePolicy: 'Fail',
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    matchConstraints: {
      resourceRules: [
        { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], scope: '*' },
      ],
      matchPolicy: 'Exact',
    },
    matchConditions: [{ name: 'n', expression: 'true' }],
    variables: [{ name: 'v', expression: '1' }],
    validations: [{ expression: 'true', message: 'm', reason: 'Invalid', messageExpression: '"x"' }],
    auditAnnotations: [{ key: 'k', valueExpression: '"x"' }],
  },
}
