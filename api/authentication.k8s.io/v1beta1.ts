import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const authenticationV1beta1: GroupVersionTable = {
  group: 'authentication.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.api.authentication.v1beta1',
  types: {
    ExtraValue: {
      doc: 'Values of one further attribute of a user.',
      wrapper: 'list',
      fields: {
        items: { n: 1, type: '[]string', doc: 'The values.' },
      },
    },
    SelfSubjectReview: {
      doc: "Requests the caller's identity.",
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        status: { n: 2, type: 'SelfSubjectReviewStatus', doc: 'The answer.' },
      },
    },
    SelfSubjectReviewStatus: {
      doc: "The caller's identity.",
      fields: {
        userInfo: { n: 1, type: 'authentication.k8s.io/v1.UserInfo', doc: 'Name, groups and further attributes of the caller.' },
      },
    },
    TokenReview: {
      doc: 'Asks whether a token is valid, and which user it identifies.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'TokenReviewSpec', omit: 'never', required: true, doc: 'The token.' },
        status: { n: 3, type: 'TokenReviewStatus', doc: 'The answer.' },
      },
    },
    TokenReviewSpec: {
      doc: 'The token to check.',
      fields: {
        token: { n: 1, type: 'string', required: true, doc: 'The token.' },
        audiences: { n: 2, type: '[]string', list: 'atomic', doc: 'Audiences of the asking server; the token must be for one. Defaults to the API server.' },
      },
    },
    TokenReviewStatus: {
      doc: 'The user of a token.',
      fields: {
        authenticated: { n: 1, type: 'bool', doc: 'True when the token is valid.' },
        user: { n: 2, type: 'UserInfo', doc: 'The user that the token identifies.' },
        audiences: { n: 4, type: '[]string', list: 'atomic', doc: 'Audiences of the asking server that the token is for; empty means that audiences were not checked.' },
        error: { n: 3, type: 'string', doc: 'Why the token could not be checked.' },
      },
    },
    UserInfo: {
      doc: 'A user, as authentication identified it.',
      fields: {
        username: { n: 1, type: 'string', doc: 'Name of the user, unique among active users.' },
        uid: { n: 2, type: 'string', doc: 'Identifier of the user, which no later user of the name shares.' },
        groups: { n: 3, type: '[]string', list: 'atomic', doc: 'Groups that the user is in.' },
        extra: { n: 4, type: 'map[string]ExtraValue', doc: 'Further attributes that the authenticator gave.' },
      },
    },
  },
  resources: {
    selfsubjectreviews: {
      kind: 'SelfSubjectReview',
      singular: 'selfsubjectreview',
      namespaced: false,
      verbs: ['create'],
      introduced: '1.27',
      served: false,
    },
  },
}
