import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const authorizationV1beta1: GroupVersionTable = {
  group: 'authorization.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.api.authorization.v1beta1',
  types: {
    ExtraValue: {
      wrapper: 'list',
      fields: {
        items: { n: 1, type: '[]string' },
      },
    },
    LocalSubjectAccessReview: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'SubjectAccessReviewSpec', omit: 'never', required: true },
        status: { n: 3, type: 'SubjectAccessReviewStatus' },
      },
    },
    NonResourceAttributes: {
      fields: {
        path: { n: 1, type: 'string' },
        verb: { n: 2, type: 'string' },
      },
    },
    NonResourceRule: {
      fields: {
        verbs: { n: 1, type: '[]string', omit: 'never', required: true, list: 'atomic' },
        nonResourceURLs: { n: 2, type: '[]string', list: 'atomic' },
      },
    },
    ResourceAttributes: {
      fields: {
        namespace: { n: 1, type: 'string' },
        verb: { n: 2, type: 'string' },
        group: { n: 3, type: 'string' },
        version: { n: 4, type: 'string' },
        resource: { n: 5, type: 'string' },
        subresource: { n: 6, type: 'string' },
        name: { n: 7, type: 'string' },
        fieldSelector: { n: 8, type: '*authorization.k8s.io/v1.FieldSelectorAttributes' },
        labelSelector: { n: 9, type: '*authorization.k8s.io/v1.LabelSelectorAttributes' },
      },
    },
    ResourceRule: {
      fields: {
        verbs: { n: 1, type: '[]string', omit: 'never', required: true, list: 'atomic' },
        apiGroups: { n: 2, type: '[]string', list: 'atomic' },
        resources: { n: 3, type: '[]string', list: 'atomic' },
        resourceNames: { n: 4, type: '[]string', list: 'atomic' },
      },
    },
    SelfSubjectAccessReview: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'SelfSubjectAccessReviewSpec', omit: 'never', required: true },
        status: { n: 3, type: 'SubjectAccessReviewStatus' },
      },
    },
    SelfSubjectAccessReviewSpec: {
      fields: {
        resourceAttributes: { n: 1, type: '*ResourceAttributes' },
        nonResourceAttributes: { n: 2, type: '*NonResourceAttributes' },
      },
    },
    SelfSubjectRulesReview: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'SelfSubjectRulesReviewSpec', omit: 'never', required: true },
        status: { n: 3, type: 'SubjectRulesReviewStatus' },
      },
    },
    SelfSubjectRulesReviewSpec: {
      fields: {
        namespace: { n: 1, type: 'string' },
      },
    },
    SubjectAccessReview: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'SubjectAccessReviewSpec', omit: 'never', required: true },
        status: { n: 3, type: 'SubjectAccessReviewStatus' },
      },
    },
    SubjectAccessReviewSpec: {
      fields: {
        resourceAttributes: { n: 1, type: '*ResourceAttributes' },
        nonResourceAttributes: { n: 2, type: '*NonResourceAttributes' },
        user: { n: 3, type: 'string' },
        group: { n: 4, type: '[]string', list: 'atomic' },
        extra: { n: 5, type: 'map[string]ExtraValue' },
        uid: { n: 6, type: 'string' },
      },
    },
    SubjectAccessReviewStatus: {
      fields: {
        allowed: { n: 1, type: 'bool', omit: 'never', required: true, default: false },
        denied: { n: 4, type: 'bool' },
        reason: { n: 2, type: 'string' },
        evaluationError: { n: 3, type: 'string' },
      },
    },
    SubjectRulesReviewStatus: {
      fields: {
        resourceRules: { n: 1, type: '[]ResourceRule', omit: 'never', required: true, list: 'atomic' },
        nonResourceRules: { n: 2, type: '[]NonResourceRule', omit: 'never', required: true, list: 'atomic' },
        incomplete: { n: 3, type: 'bool', omit: 'never', required: true, default: false },
        evaluationError: { n: 4, type: 'string' },
      },
    },
  },
}
