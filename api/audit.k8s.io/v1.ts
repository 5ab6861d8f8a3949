import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const auditV1: GroupVersionTable = {
  group: 'audit.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.apiserver.pkg.apis.audit.v1',
  types: {
    AuthenticationMetadata: {
      fields: {
        impersonationConstraint: { n: 1, type: 'string' },
      },
    },
    Event: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        level: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'Level' },
        auditID: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'UID' },
        stage: { n: 3, type: 'string', omit: 'never', required: true, default: '', alias: 'Stage' },
        requestURI: { n: 4, type: 'string', omit: 'never', required: true, default: '' },
        verb: { n: 5, type: 'string', omit: 'never', required: true, default: '' },
        user: { n: 6, type: 'authentication.k8s.io/v1.UserInfo', omit: 'never', required: true },
        impersonatedUser: { n: 7, type: '*authentication.k8s.io/v1.UserInfo' },
        sourceIPs: { n: 8, type: '[]string', list: 'atomic' },
        objectRef: { n: 9, type: '*ObjectReference' },
        responseStatus: { n: 10, type: '*meta/v1.Status' },
        requestObject: { n: 11, type: '*RawExtension' },
        responseObject: { n: 12, type: '*RawExtension' },
        requestReceivedTimestamp: { n: 13, type: 'MicroTime', omit: 'never' },
        stageTimestamp: { n: 14, type: 'MicroTime', omit: 'never' },
        annotations: { n: 15, type: 'map[string]string' },
        userAgent: { n: 16, type: 'string' },
        authenticationMetadata: { n: 17, type: '*AuthenticationMetadata' },
      },
    },
    EventList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]Event', omit: 'never', required: true },
      },
    },
    GroupResources: {
      fields: {
        group: { n: 1, type: 'string' },
        resources: { n: 2, type: '[]string', list: 'atomic' },
        resourceNames: { n: 3, type: '[]string', list: 'atomic' },
      },
    },
    ObjectReference: {
      fields: {
        resource: { n: 1, type: 'string' },
        namespace: { n: 2, type: 'string' },
        name: { n: 3, type: 'string' },
        uid: { n: 4, type: 'string', alias: 'UID' },
        apiGroup: { n: 5, type: 'string' },
        apiVersion: { n: 6, type: 'string' },
        resourceVersion: { n: 7, type: 'string' },
        subresource: { n: 8, type: 'string' },
      },
    },
    Policy: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        rules: { n: 2, type: '[]PolicyRule', omit: 'never', required: true, list: 'atomic' },
        omitStages: { n: 3, type: '[]string', list: 'atomic', alias: 'Stage' },
        omitManagedFields: { n: 4, type: 'bool' },
      },
    },
    PolicyList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]Policy', omit: 'never', required: true },
      },
    },
    PolicyRule: {
      fields: {
        level: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'Level' },
        users: { n: 2, type: '[]string', list: 'atomic' },
        userGroups: { n: 3, type: '[]string', list: 'atomic' },
        verbs: { n: 4, type: '[]string', list: 'atomic' },
        resources: { n: 5, type: '[]GroupResources', list: 'atomic' },
        namespaces: { n: 6, type: '[]string', list: 'atomic' },
        nonResourceURLs: { n: 7, type: '[]string', list: 'atomic' },
        omitStages: { n: 8, type: '[]string', list: 'atomic', alias: 'Stage' },
        omitManagedFields: { n: 9, type: '*bool' },
      },
    },
  },
}
