import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const authenticationV1beta1: GroupVersionTable = {
  group: 'authentication.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.api.authentication.v1beta1',
  types: {
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
        userInfo: { n: 1, type: 'authentication.k8s.io/v1.UserInfo' },
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
}
