import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const auditV1: GroupVersionTable = {
  group: 'audit.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.apiserver.pkg.apis.audit.v1',
  types: {
    AuthenticationMetadata: {
      doc: 'Set only where a user acts as another.',
      fields: {
        impersonationConstraint: { n: 1, type: 'string', doc: 'Constraint under which the user acted as another.' },
      },
    },
    Event: {
      doc: 'A request, as it is logged.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        level: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'Level', doc: 'How much is logged: Metadata, Request or RequestResponse.' },
        auditID: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'UID', doc: 'Identifier of the request; its events share it.' },
        stage: { n: 3, type: 'string', omit: 'never', required: true, default: '', alias: 'Stage', doc: 'RequestReceived, ResponseStarted, ResponseComplete or Panic.' },
        requestURI: { n: 4, type: 'string', omit: 'never', required: true, default: '', doc: 'URI that the client asked for.' },
        verb: { n: 5, type: 'string', omit: 'never', required: true, default: '', doc: 'Verb of the request; for other paths than resources the method in lower case.' },
        user: { n: 6, type: 'authentication.k8s.io/v1.UserInfo', omit: 'never', required: true, doc: 'Who made the request.' },
        impersonatedUser: { n: 7, type: '*authentication.k8s.io/v1.UserInfo', doc: 'The user as whom it was made.' },
        sourceIPs: { n: 8, type: '[]string', list: 'atomic', doc: 'Addresses that the request came from and through; only the last is sure.' },
        objectRef: { n: 9, type: '*ObjectReference', doc: 'The object that it was for.' },
        responseStatus: { n: 10, type: '*meta/v1.Status', doc: 'Outcome: in full when an error, else just the code.' },
        requestObject: { n: 11, type: '*RawExtension', doc: 'Object of the request; from level Request.' },
        responseObject: { n: 12, type: '*RawExtension', doc: 'Object of the answer; from level RequestResponse.' },
        requestReceivedTimestamp: { n: 13, type: 'MicroTime', omit: 'never', doc: 'When the request arrived.' },
        stageTimestamp: { n: 14, type: 'MicroTime', omit: 'never', doc: 'When it reached this stage.' },
        annotations: { n: 15, type: 'map[string]string', doc: 'Notes of plugins on the request, such as why it was allowed.' },
        userAgent: { n: 16, type: 'string', doc: 'What the client calls itself.' },
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
        resources: { n: 2, type: '[]string', list: 'atomic', doc: 'Resources, or resource/subresource; * stands for any. All when empty.' },
        resourceNames: { n: 3, type: '[]string', list: 'atomic', doc: 'Names of the objects; all when empty.' },
      },
    },
    ObjectReference: {
      doc: 'As far as the path of the request tells.',
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
      doc: 'Which requests are logged, and how much of them.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        rules: { n: 2, type: '[]PolicyRule', omit: 'never', required: true, list: 'atomic', doc: 'Rules, of which the first that matches decides.' },
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
      doc: 'Requests and how they are logged; all that is set must match.',
      fields: {
        level: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'Level', doc: 'None, Metadata, Request or RequestResponse.' },
        users: { n: 2, type: '[]string', list: 'atomic', doc: 'Users; all when empty.' },
        userGroups: { n: 3, type: '[]string', list: 'atomic', doc: 'Groups of users; all when empty.' },
        verbs: { n: 4, type: '[]string', list: 'atomic', doc: 'Verbs; all when empty.' },
        resources: { n: 5, type: '[]GroupResources', list: 'atomic', doc: 'Resources; all when empty.' },
        namespaces: { n: 6, type: '[]string', list: 'atomic', doc: 'Namespaces; "" is requests without one. All when empty.' },
        nonResourceURLs: { n: 7, type: '[]string', list: 'atomic', doc: 'Paths outside of resources; a trailing * matches any rest.' },
        omitStages: { n: 8, type: '[]string', list: 'atomic', alias: 'Stage', doc: 'Stages that are not logged, besides those of the policy.' },
        omitManagedFields: { n: 9, type: '*bool', doc: 'Overrides that of the policy.' },
      },
    },
  },
}
