import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const auditV1: GroupVersionTable = {
  group: 'audit.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.apiserver.pkg.apis.audit.v1',
  types: {
    AuthenticationMetadata: {
      doc: 'Set only when a user impersonates another.',
      fields: {
        impersonationConstraint: { n: 1, type: 'string', doc: 'Constraint of the impersonation.' },
      },
    },
    Event: {
      doc: 'A request in the audit log.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        level: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'Level', doc: 'How much is logged: Metadata, Request or RequestResponse.' },
        auditID: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'UID', doc: 'Identifier of the request; its events share it.' },
        stage: { n: 3, type: 'string', omit: 'never', required: true, default: '', alias: 'Stage', doc: 'RequestReceived, ResponseStarted, ResponseComplete or Panic.' },
        requestURI: { n: 4, type: 'string', omit: 'never', required: true, default: '', doc: 'URI of the request.' },
        verb: { n: 5, type: 'string', omit: 'never', required: true, default: '', doc: 'Verb of the request; for non-resource paths the method in lower case.' },
        user: { n: 6, type: 'authentication.k8s.io/v1.UserInfo', omit: 'never', required: true, doc: 'Who made the request.' },
        impersonatedUser: { n: 7, type: '*authentication.k8s.io/v1.UserInfo', doc: 'The impersonated user.' },
        sourceIPs: { n: 8, type: '[]string', list: 'atomic', doc: 'Addresses of the client and of proxies; only the last is certain.' },
        objectRef: { n: 9, type: '*ObjectReference', doc: 'The object of the request.' },
        responseStatus: { n: 10, type: '*meta/v1.Status', doc: 'Outcome: complete for errors, else just the code.' },
        requestObject: { n: 11, type: '*RawExtension', doc: 'Object in the request; from level Request.' },
        responseObject: { n: 12, type: '*RawExtension', doc: 'Object in the answer; from level RequestResponse.' },
        requestReceivedTimestamp: { n: 13, type: 'MicroTime', omit: 'never', doc: 'When the request arrived.' },
        stageTimestamp: { n: 14, type: 'MicroTime', omit: 'never', doc: 'When it reached this stage.' },
        annotations: { n: 15, type: 'map[string]string', doc: 'Annotations by plugins, such as the reason why it was allowed.' },
        userAgent: { n: 16, type: 'string', doc: 'User agent of the client.' },
        authenticationMetadata: { n: 17, type: '*AuthenticationMetadata', doc: 'How the request was authenticated.' },
      },
    },
    EventList: {
      doc: 'A list of Event objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]Event', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    GroupResources: {
      doc: 'Resources of one group.',
      fields: {
        group: { n: 1, type: 'string', doc: 'API group of the resources; "" is core.' },
        resources: { n: 2, type: '[]string', list: 'atomic', doc: 'Resources, or resource/subresource; * matches any. All when empty.' },
        resourceNames: { n: 3, type: '[]string', list: 'atomic', doc: 'Names of the objects; all when empty.' },
      },
    },
    ObjectReference: {
      doc: 'As far as the path of the request determines it.',
      fields: {
        resource: { n: 1, type: 'string', doc: 'Plural name of the resource.' },
        namespace: { n: 2, type: 'string', doc: 'Namespace of the object.' },
        name: { n: 3, type: 'string', doc: 'Name of the object.' },
        uid: { n: 4, type: 'string', alias: 'UID', doc: 'UID of the object.' },
        apiGroup: { n: 5, type: 'string', doc: 'API group of the resource; empty is core.' },
        apiVersion: { n: 6, type: 'string', doc: 'Version of the resource.' },
        resourceVersion: { n: 7, type: 'string', doc: 'Resource version of the object.' },
        subresource: { n: 8, type: 'string', doc: 'Subresource, if any.' },
      },
    },
    Policy: {
      doc: 'The requests that are logged, and the level of detail.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        rules: { n: 2, type: '[]PolicyRule', omit: 'never', required: true, list: 'atomic', doc: 'Rules; the first that matches decides.' },
        omitStages: { n: 3, type: '[]string', list: 'atomic', alias: 'Stage', doc: 'Stages that are never logged.' },
        omitManagedFields: { n: 4, type: 'bool', doc: 'Leaves managed fields out of logged objects. Defaults to false.' },
      },
    },
    PolicyList: {
      doc: 'A list of Policy objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]Policy', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    PolicyRule: {
      doc: 'Requests and the level of detail in the log; all fields that are set must match.',
      fields: {
        level: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'Level', doc: 'None, Metadata, Request or RequestResponse.' },
        users: { n: 2, type: '[]string', list: 'atomic', doc: 'Users; all when empty.' },
        userGroups: { n: 3, type: '[]string', list: 'atomic', doc: 'Groups of users; all when empty.' },
        verbs: { n: 4, type: '[]string', list: 'atomic', doc: 'Verbs; all when empty.' },
        resources: { n: 5, type: '[]GroupResources', list: 'atomic', doc: 'Resources; all when empty.' },
        namespaces: { n: 6, type: '[]string', list: 'atomic', doc: 'Namespaces; "" is requests without one. All when empty.' },
        nonResourceURLs: { n: 7, type: '[]string', list: 'atomic', doc: 'Paths outside of resources; a trailing * matches any rest.' },
        omitStages: { n: 8, type: '[]string', list: 'atomic', alias: 'Stage', doc: "Stages that are not logged, in addition to the policy's." },
        omitManagedFields: { n: 9, type: '*bool', doc: "Overrides the policy's value." },
      },
    },
  },
}
