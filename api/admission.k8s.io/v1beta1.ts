import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const admissionV1beta1: GroupVersionTable = {
  group: 'admission.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.api.admission.v1beta1',
  types: {
    AdmissionRequest: {
      fields: {
        uid: { n: 1, type: 'string', omit: 'never', alias: 'UID' },
        kind: { n: 2, type: 'meta/v1.GroupVersionKind', omit: 'never' },
        resource: { n: 3, type: 'meta/v1.GroupVersionResource', omit: 'never' },
        subResource: { n: 4, type: 'string' },
        requestKind: { n: 13, type: '*meta/v1.GroupVersionKind' },
        requestResource: { n: 14, type: '*meta/v1.GroupVersionResource' },
        requestSubResource: { n: 15, type: 'string' },
        name: { n: 5, type: 'string' },
        namespace: { n: 6, type: 'string' },
        operation: { n: 7, type: 'string', omit: 'never', alias: 'Operation' },
        userInfo: { n: 8, type: 'authentication.k8s.io/v1.UserInfo', omit: 'never' },
        object: { n: 9, type: 'RawExtension' },
        oldObject: { n: 10, type: 'RawExtension' },
        dryRun: { n: 11, type: '*bool' },
        options: { n: 12, type: 'RawExtension' },
      },
    },
    AdmissionResponse: {
      fields: {
        uid: { n: 1, type: 'string', omit: 'never', alias: 'UID' },
        allowed: { n: 2, type: 'bool', omit: 'never' },
        status: { n: 3, type: '*meta/v1.Status' },
        patch: { n: 4, type: 'bytes' },
        patchType: { n: 5, type: '*string', alias: 'PatchType' },
        auditAnnotations: { n: 6, type: 'map[string]string' },
        warnings: { n: 7, type: '[]string' },
      },
    },
    AdmissionReview: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        request: { n: 1, type: '*AdmissionRequest' },
        response: { n: 2, type: '*AdmissionResponse' },
      },
    },
  },
}
