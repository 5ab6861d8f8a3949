import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const metaV1beta1: GroupVersionTable = {
  group: 'meta.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.apimachinery.pkg.apis.meta.v1beta1',
  types: {
    PartialObjectMetadataList: {
      doc: 'A list of objects reduced to their metadata.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        items: { n: 1, type: '[]meta/v1.PartialObjectMetadata', omit: 'never', required: true, doc: 'The objects.' },
        metadata: { n: 2, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
      },
    },
  },
}
