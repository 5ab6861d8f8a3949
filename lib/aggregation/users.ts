import { mastersGroup, type UserInfo } from '../request/index.ts'

/** This server where it asks backends what they serve. */
export const aggregatorUser: UserInfo = Object.freeze({
  name: 'system:kube-aggregator',
  uid: '',
  groups: [mastersGroup],
  extra: {},
})

/** This server where it asks backends for their OpenAPI documents. */
export const documentsUser: UserInfo = Object.freeze({ name: 'system:aggregator', uid: '', groups: [], extra: {} })
