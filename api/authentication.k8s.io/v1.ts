import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const authenticationV1: GroupVersionTable = {
  group: 'authentication.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.authentication.v1',
  types: {
    BoundObjectReference: {
      doc: 'A token can be bound to a pod, a secret or a node.',
      fields: {
        kind: { n: 1, type: 'string', doc: 'Pod, Secret or Node.' },
        apiVersion: { n: 2, type: 'string', doc: 'Group version of the object.' },
        name: { n: 3, type: 'string', doc: 'Name of the object.' },
        uid: { n: 4, type: 'string', protoName: 'uID', alias: 'UID', doc: 'UID of the object.' },
      },
    },
    ExtraValue: {
      doc: 'Values of one further attribute of a user.',
      wrapper: 'list',
      fields: {
        items: { n: 1, type: '[]string', doc: 'The values.' },
      },
    },
    SelfSubjectReview: {
      doc: 'Asks who the caller is.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        status: { n: 2, type: 'SelfSubjectReviewStatus', doc: 'The answer.' },
      },
    },
    SelfSubjectReviewStatus: {
      doc: 'Who the caller is.',
      fields: {
        userInfo: { n: 1, type: 'UserInfo', doc: 'Name, groups and further attributes of the caller.' },
      },
    },
    TokenRequest: {
      doc: 'Asks for a token of a service account.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'TokenRequestSpec', omit: 'never', doc: 'What the token is for.' },
        status: { n: 3, type: 'TokenRequestStatus', doc: 'The token.' },
      },
    },
    TokenRequestSpec: {
      doc: 'The server may give a shorter or longer validity than is asked for.',
      fields: {
        audiences: { n: 1, type: '[]string', omit: 'never', list: 'atomic', doc: 'Who the token is for; those who read it must check. Defaults to the API server.' },
        expirationSeconds: { n: 4, type: '*int64', omit: 'never', format: 'int64', doc: 'Seconds that the token should be valid, at least 600. Defaults to 3600; the server may give other.' },
        boundObjectRef: { n: 3, type: '*BoundObjectReference', omit: 'never', doc: 'Object that the token is bound to; without it the token is invalid.' },
      },
    },
    TokenRequestStatus: {
      doc: 'Kept nowhere: only this answer has it.',
      fields: {
        token: { n: 1, type: 'string', omit: 'never', default: '', doc: 'The token.' },
        expirationTimestamp: { n: 2, type: 'Time', omit: 'never', doc: 'When the token ceases to be valid.' },
      },
    },
    TokenReview: {
      doc: 'Asks whether a token is valid and whose it is.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'TokenReviewSpec', omit: 'never', required: true, doc: 'The token.' },
        status: { n: 3, type: 'TokenReviewStatus', doc: 'The answer.' },
      },
    },
    TokenReviewSpec: {
      doc: 'A token to look at.',
      fields: {
        token: { n: 1, type: 'string', required: true, doc: 'The token.' },
        audiences: { n: 2, type: '[]string', list: 'atomic', doc: 'Names that the asker goes by, one of which the token must be for. Defaults to the API server.' },
      },
    },
    TokenReviewStatus: {
      doc: 'Whose a token is.',
      fields: {
        authenticated: { n: 1, type: 'bool', doc: 'True when the token is valid.' },
        user: { n: 2, type: 'UserInfo', doc: 'The user that the token stands for.' },
        audiences: { n: 4, type: '[]string', list: 'atomic', doc: 'Names of the asker that the token is for; empty means that audiences were not looked at.' },
        error: { n: 3, type: 'string', doc: 'Why the token could not be checked.' },
      },
    },
    UserInfo: {
      doc: 'A user, as authentication found it.',
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
