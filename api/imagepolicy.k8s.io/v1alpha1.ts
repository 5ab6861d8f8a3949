import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const imagepolicyV1alpha1: GroupVersionTable = {
  group: 'imagepolicy.k8s.io',
  version: 'v1alpha1',
  protoPackage: 'k8s.io.api.imagepolicy.v1alpha1',
  types: {
    ImageReview: {
      doc: 'Asks whether the images of a pod are allowed.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'ImageReviewSpec', omit: 'never', doc: 'The images.' },
        status: { n: 3, type: 'ImageReviewStatus', doc: 'The answer.' },
      },
    },
    ImageReviewContainerSpec: {
      doc: 'A container of the pod.',
      fields: {
        image: { n: 1, type: 'string', doc: 'Image of the container.' },
      },
    },
    ImageReviewSpec: {
      doc: 'All containers of the pod, in one review.',
      fields: {
        containers: { n: 1, type: '[]ImageReviewContainerSpec', list: 'atomic', doc: 'The containers, of all kinds.' },
        annotations: { n: 2, type: 'map[string]string', doc: 'Annotations of the pod for the reviewing server: those with *.image-policy.k8s.io/*.' },
        namespace: { n: 3, type: 'string', doc: 'Namespace of the pod.' },
      },
    },
    ImageReviewStatus: {
      doc: 'Whether images are allowed.',
      fields: {
        allowed: { n: 1, type: 'bool', omit: 'never', default: false, doc: 'True when all are allowed.' },
        reason: { n: 2, type: 'string', doc: 'Reason of a refusal.' },
        auditAnnotations: { n: 3, type: 'map[string]string', doc: 'Annotations for the audit event; the name of the plugin becomes the prefix of the keys.' },
      },
    },
  },
}
