import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingAdmissionPolicyBinding',
  metadata: { name: 'vv7-x' },
  spec: {
    policyName: 'p',
    paramRef: { name: 'n', namespace: 'default', parameterNotFoundAction: 'Deny' },
    matchResources: {
      resourceRules: [
        { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], scope: '*' },
      ],
      matchPolicy: 'Exact',
    },
  },
}
