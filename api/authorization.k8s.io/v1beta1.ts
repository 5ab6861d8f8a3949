import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const authorizationV1beta1: GroupVersionTable = {
  group: 'authorization.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.api.authorization.v1beta1',
  types: {
    ExtraValue: {
      doc: 'Values of one further attribute of a user.',
      wrapper: 'list',
      fields: {
        items: { n: 1, type: '[]string', doc: 'The values.' },
      },
    },
    LocalSubjectAccessReview: {
      doc: 'Asks whether a user may carry out an action in one namespace.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'SubjectAccessReviewSpec', omit: 'never', required: true, doc: 'The user and the action; its namespace must be that of the review.' },
        status: { n: 3, type: 'SubjectAccessReviewStatus', doc: 'The answer.' },
      },
    },
    NonResourceAttributes: {
      doc: 'A request as authorizers get it, by method and path.',
      fields: {
        path: { n: 1, type: 'string', doc: 'Path of the request.' },
        verb: { n: 2, type: 'string', doc: 'Method of the request, in lower case.' },
      },
    },
    NonResourceRule: {
      doc: 'Permission for some verbs on some paths.',
      fields: {
        verbs: { n: 1, type: '[]string', omit: 'never', required: true, list: 'atomic', doc: 'Verbs that are allowed; * is all of them.' },
        nonResourceURLs: { n: 2, type: '[]string', list: 'atomic', doc: 'Paths; a trailing * matches any rest.' },
      },
    },
    ResourceAttributes: {
      doc: 'A request as authorizers get it, by verb, resource and name.',
      fields: {
        namespace: { n: 1, type: 'string', doc: 'Namespace of the object; "" means all, or none for cluster-wide resources.' },
        verb: { n: 2, type: 'string', doc: 'Verb, such as get, list, watch, create, update, patch or delete; * is all of them.' },
        group: { n: 3, type: 'string', doc: 'API group of the resource; * is all of them.' },
        version: { n: 4, type: 'string', doc: 'Version of the resource; * is all of them.' },
        resource: { n: 5, type: 'string', doc: 'Plural name of the resource; * is all of them.' },
        subresource: { n: 6, type: 'string', doc: 'Subresource; "" is none.' },
        name: { n: 7, type: 'string', doc: 'Name of the object; "" means all.' },
        fieldSelector: { n: 8, type: '*authorization.k8s.io/v1.FieldSelectorAttributes', doc: 'Field selector of the request, which may narrow it.' },
        labelSelector: { n: 9, type: '*authorization.k8s.io/v1.LabelSelectorAttributes', doc: 'Label selector of the request, which may narrow it.' },
      },
    },
    ResourceRule: {
      doc: 'Permission for some verbs on some resources.',
      fields: {
        verbs: { n: 1, type: '[]string', omit: 'never', required: true, list: 'atomic', doc: 'Verbs that are allowed; * is all of them.' },
        apiGroups: { n: 2, type: '[]string', list: 'atomic', doc: 'API groups of the resources; * is all of them.' },
        resources: { n: 3, type: '[]string', list: 'atomic', doc: 'Resources, or resource/subresource; * is all of them.' },
        resourceNames: { n: 4, type: '[]string', list: 'atomic', doc: 'Names of the objects; empty allows any name.' },
      },
    },
    SelfSubjectAccessReview: {
      doc: 'Asks whether the caller may carry out an action.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'SelfSubjectAccessReviewSpec', omit: 'never', required: true, doc: 'The action; the user is the caller.' },
        status: { n: 3, type: 'SubjectAccessReviewStatus', doc: 'The answer.' },
      },
    },
    SelfSubjectAccessReviewSpec: {
      doc: 'An action; exactly one of the fields is set.',
      fields: {
        resourceAttributes: { n: 1, type: '*ResourceAttributes', doc: 'A request for a resource.' },
        nonResourceAttributes: { n: 2, type: '*NonResourceAttributes', doc: 'A request for another path.' },
      },
    },
    SelfSubjectRulesReview: {
      doc: 'Asks which actions the caller may carry out in a namespace; for display, not for decisions.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'SelfSubjectRulesReviewSpec', omit: 'never', required: true, doc: 'The namespace.' },
        status: { n: 3, type: 'SubjectRulesReviewStatus', doc: 'The answer; it may be incomplete.' },
      },
    },
    SelfSubjectRulesReviewSpec: {
      doc: 'The namespace of the question.',
      fields: {
        namespace: { n: 1, type: 'string', doc: 'The namespace. Required.' },
      },
    },
    SubjectAccessReview: {
      doc: 'Asks whether a user may carry out an action.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'SubjectAccessReviewSpec', omit: 'never', required: true, doc: 'The user and the action.' },
        status: { n: 3, type: 'SubjectAccessReviewStatus', doc: 'The answer.' },
      },
    },
    SubjectAccessReviewSpec: {
      doc: 'A user and an action; exactly one of the two attributes is set.',
      fields: {
        resourceAttributes: { n: 1, type: '*ResourceAttributes', doc: 'A request for a resource.' },
        nonResourceAttributes: { n: 2, type: '*NonResourceAttributes', doc: 'A request for another path.' },
        user: { n: 3, type: 'string', doc: 'Name of the user; user or groups must be set.' },
        group: { n: 4, type: '[]string', list: 'atomic', doc: 'Groups of the user.' },
        extra: { n: 5, type: 'map[string]ExtraValue', doc: 'Further attributes of the user.' },
        uid: { n: 6, type: 'string', doc: 'UID of the user.' },
      },
    },
    SubjectAccessReviewStatus: {
      doc: 'Whether an action is allowed.',
      fields: {
        allowed: { n: 1, type: 'bool', omit: 'never', required: true, default: false, doc: 'True when it is allowed.' },
        denied: { n: 4, type: 'bool', doc: 'True when it is denied explicitly; false together with allowed false means that no authorizer had an opinion.' },
        reason: { n: 2, type: 'string', doc: 'Why it is allowed or denied.' },
        evaluationError: { n: 3, type: 'string', doc: 'Errors during the check; the decision can be valid all the same.' },
      },
    },
    SubjectRulesReviewStatus: {
      doc: 'The actions that a user may carry out.',
      fields: {
        resourceRules: { n: 1, type: '[]ResourceRule', omit: 'never', required: true, list: 'atomic', doc: 'Permissions for resources; their order has no meaning and they may overlap.' },
        nonResourceRules: { n: 2, type: '[]NonResourceRule', omit: 'never', required: true, list: 'atomic', doc: 'Permissions for other paths.' },
        incomplete: { n: 3, type: 'bool', omit: 'never', required: true, default: false, doc: 'True when the rules are incomplete, such as when an authorizer cannot list them.' },
        evaluationError: { n: 4, type: 'string', doc: 'Errors during the check.' },
      },
    },
  },
}
