import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const admissionV1beta1: GroupVersionTable = {
  group: 'admission.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.api.admission.v1beta1',
  types: {
    AdmissionRequest: {
      doc: 'A request for an admission webhook to decide.',
      fields: {
        uid: { n: 1, type: 'string', omit: 'never', alias: 'UID', doc: 'Identifier of the call; the answer must repeat it.' },
        kind: { n: 2, type: 'meta/v1.GroupVersionKind', omit: 'never', doc: 'Kind of the object, as the webhook gets it.' },
        resource: { n: 3, type: 'meta/v1.GroupVersionResource', omit: 'never', doc: 'Resource, as the webhook gets it.' },
        subResource: { n: 4, type: 'string', doc: 'Subresource; empty for the object itself.' },
        requestKind: { n: 13, type: '*meta/v1.GroupVersionKind', doc: 'Kind of the object as it was sent, which may be in another version.' },
        requestResource: { n: 14, type: '*meta/v1.GroupVersionResource', doc: 'Resource as it was sent, which may be in another version.' },
        requestSubResource: { n: 15, type: 'string', doc: 'Subresource as it was sent.' },
        name: { n: 5, type: 'string', doc: 'Name of the object; may be empty on creation when the server generates it.' },
        namespace: { n: 6, type: 'string', doc: 'Namespace of the object, if it has one.' },
        operation: { n: 7, type: 'string', omit: 'never', alias: 'Operation', doc: 'CREATE, UPDATE, DELETE or CONNECT.' },
        userInfo: { n: 8, type: 'authentication.k8s.io/v1.UserInfo', omit: 'never', doc: 'User who makes the request.' },
        object: { n: 9, type: 'RawExtension', doc: 'The object as it would be stored; null for DELETE.' },
        oldObject: { n: 10, type: 'RawExtension', doc: 'The object as it is stored; null for CREATE and CONNECT.' },
        dryRun: { n: 11, type: '*bool', doc: 'Nothing will be stored. Defaults to false.' },
        options: { n: 12, type: 'RawExtension', doc: 'Options of the request, such as CreateOptions.' },
      },
    },
    AdmissionResponse: {
      doc: 'The decision of a webhook.',
      fields: {
        uid: { n: 1, type: 'string', omit: 'never', alias: 'UID', doc: 'Identifier of the call, repeated.' },
        allowed: { n: 2, type: 'bool', omit: 'never', doc: 'Whether the request is allowed.' },
        status: { n: 3, type: '*meta/v1.Status', doc: 'Reason of a refusal; ignored when allowed.' },
        patch: { n: 4, type: 'bytes', doc: 'Change of the object; only from mutating webhooks.' },
        patchType: { n: 5, type: '*string', alias: 'PatchType', doc: 'Form of the patch; JSONPatch is the only one.' },
        auditAnnotations: { n: 6, type: 'map[string]string', doc: 'Annotations for the audit event; the name of the webhook becomes the prefix of the keys.' },
        warnings: { n: 7, type: '[]string', doc: 'Warnings for the client; best below 120 characters each.' },
      },
    },
    AdmissionReview: {
      doc: 'A call to an admission webhook and its answer.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        request: { n: 1, type: '*AdmissionRequest', doc: 'The call.' },
        response: { n: 2, type: '*AdmissionResponse', doc: 'The answer.' },
      },
    },
  },
}
