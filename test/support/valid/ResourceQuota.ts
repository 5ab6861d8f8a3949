import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: {
    hard: { pods: '1' },
    scopes: ['NotTerminating'],
    scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['a'] }] },
  },
}
