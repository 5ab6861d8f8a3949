import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const imagepolicyV1alpha1: GroupVersionTable = {
  group: 'imagepolicy.k8s.io',
  version: 'v1alpha1',
  protoPackage: 'k8s.io.api.imagepolicy.v1alpha1',
  types: {
    ImageReview: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'ImageReviewSpec', omit: 'never' },
        status: { n: 3, type: 'ImageReviewStatus' },
      },
    },
    ImageReviewContainerSpec: {
      fields: {
        image: { n: 1, type: 'string' },
      },
    },
    ImageReviewSpec: {
      fields: {
        containers: { n: 1, type: '[]ImageReviewContainerSpec', list: 'atomic' },
        annotations: { n: 2, type: 'map[string]string' },
        namespace: { n: 3, type: 'string' },
      },
    },
    ImageReviewStatus: {
      fields: {
        allowed: { n: 1, type: 'bool', omit: 'never', default: false },
        reason: { n: 2, type: 'string' },
        auditAnnotations: { n: 3, type: 'map[string]string' },
      },
    },
  },
}
