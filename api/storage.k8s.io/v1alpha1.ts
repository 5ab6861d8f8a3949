import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const storageV1alpha1: GroupVersionTable = {
  group: 'storage.k8s.io',
  version: 'v1alpha1',
  protoPackage: 'k8s.io.api.storage.v1alpha1',
  types: {
    VolumeAttributesClass: {
      doc: 'Volume settings that a driver can change while the volume is in use.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        driverName: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the driver. Cannot be changed.' },
        parameters: { n: 3, type: 'map[string]string', doc: 'Settings for the driver, which interprets them; 1 to 512. Cannot be changed.' },
      },
    },
    VolumeAttributesClassList: {
      doc: 'A list of VolumeAttributesClass objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]VolumeAttributesClass', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
  },
  resources: {
    volumeattributesclasses: {
      kind: 'VolumeAttributesClass',
      singular: 'volumeattributesclass',
      listKind: 'VolumeAttributesClassList',
      namespaced: false,
      shortNames: ['vac'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'volumeattributesclasses',
      storageVersionHash: 'tIjydgKBC5w=',
      served: false,
      introduced: '1.29',
      deprecated: '1.32',
      removed: '1.35',
      replacement: 'storage.k8s.io/v1 VolumeAttributesClass',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'object',
    },
  },
}
