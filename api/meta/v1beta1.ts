import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const metaV1beta1: GroupVersionTable = {
  group: 'meta.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.apimachinery.pkg.apis.meta.v1beta1',
  types: {
    PartialObjectMetadataList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        items: { n: 1, type: '[]meta/v1.PartialObjectMetadata', omit: 'never', required: true },
        metadata: { n: 2, type: 'meta/v1.ListMeta' },
      },
    },
  },
}
