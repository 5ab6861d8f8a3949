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
        userInfo: { n: 1, type: 'UserInfo', doc: 'Name, groups and further attributes of the caller.' },
      },
    },
    TokenRequest: {
      doc: 'Requests a token for a service account.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'TokenRequestSpec', omit: 'never', doc: 'Properties of the token.' },
        status: { n: 3, type: 'TokenRequestStatus', doc: 'The token.' },
      },
    },
    TokenRequestSpec: {
      doc: 'The server may choose a shorter or longer validity than requested.',
      fields: {
        audiences: { n: 1, type: '[]string', omit: 'never', list: 'atomic', doc: 'Audiences of the token; recipients must check them. Defaults to the API server.' },
        expirationSeconds: { n: 4, type: '*int64', omit: 'never', format: 'int64', doc: 'Seconds of validity, at least 600. Defaults to 3600; the server may choose another value.' },
        boundObjectRef: { n: 3, type: '*BoundObjectReference', omit: 'never', doc: 'Object that the token is bound to; when it is deleted, the token is invalid.' },
      },
    },
    TokenRequestStatus: {
      doc: 'Not stored: only this answer has it.',
      fields: {
        token: { n: 1, type: 'string', omit: 'never', default: '', doc: 'The token.' },
        expirationTimestamp: { n: 2, type: 'Time', omit: 'never', doc: 'When the token expires.' },
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
