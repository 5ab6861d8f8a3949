import { mastersGroup, type UserInfo } from '../request/index.ts'

/** This server's user for discovery requests to backends. */
export const aggregatorUser: UserInfo = Object.freeze({
  name: 'system:kube-aggregator',
  uid: '',
  groups: [mastersGroup],
  extra: {},
})

/** This server's user for OpenAPI requests to backends. */
export const documentsUser: UserInfo = Object.freeze({ name: 'system:aggregator', uid: '', groups: [], extra: {} })
