import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const authenticationV1: GroupVersionTable = {
  group: 'authentication.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.authentication.v1',
  types: {
    BoundObjectReference: {
      fields: {
        kind: { n: 1, type: 'string' },
        apiVersion: { n: 2, type: 'string' },
        name: { n: 3, type: 'string' },
        uid: { n: 4, type: 'string', protoName: 'uID', alias: 'UID' },
      },
    },
    ExtraValue: {
      wrapper: 'list',
      fields: {
        items: { n: 1, type: '[]string' },
      },
    },
    SelfSubjectReview: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        status: { n: 2, type: 'SelfSubjectReviewStatus' },
      },
    },
    SelfSubjectReviewStatus: {
      fields: {
        userInfo: { n: 1, type: 'UserInfo' },
      },
    },
    TokenRequest: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'TokenRequestSpec', omit: 'never' },
        status: { n: 3, type: 'TokenRequestStatus' },
      },
    },
    TokenRequestSpec: {
      fields: {
        audiences: { n: 1, type: '[]string', omit: 'never', list: 'atomic' },
        expirationSeconds: { n: 4, type: '*int64', omit: 'never', format: 'int64' },
        boundObjectRef: { n: 3, type: '*BoundObjectReference', omit: 'never' },
      },
    },
    TokenRequestStatus: {
      fields: {
        token: { n: 1, type: 'string', omit: 'never', default: '' },
        expirationTimestamp: { n: 2, type: 'Time', omit: 'never' },
      },
    },
    TokenReview: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'TokenReviewSpec', omit: 'never', required: true },
        status: { n: 3, type: 'TokenReviewStatus' },
      },
    },
    TokenReviewSpec: {
      fields: {
        token: { n: 1, type: 'string', required: true },
        audiences: { n: 2, type: '[]string', list: 'atomic' },
      },
    },
    TokenReviewStatus: {
      fields: {
        authenticated: { n: 1, type: 'bool' },
        user: { n: 2, type: 'UserInfo' },
        audiences: { n: 4, type: '[]string', list: 'atomic' },
        error: { n: 3, type: 'string' },
      },
    },
    UserInfo: {
      fields: {
        username: { n: 1, type: 'string' },
        uid: { n: 2, type: 'string' },
        groups: { n: 3, type: '[]string', list: 'atomic' },
        extra: { n: 4, type: 'map[string]ExtraValue' },
      },
    },
  },
  resources: {
    selfsubjectreviews: {
      kind: 'SelfSubjectReview',
      singular: 'selfsubjectreview',
      namespaced: false,
      verbs: ['create'],
      introduced: '1.28',
    },
    tokenreviews: {
      kind: 'TokenReview',
      singular: 'tokenreview',
      namespaced: false,
      verbs: ['create'],
      introduced: '1.6',
    },
  },
}
