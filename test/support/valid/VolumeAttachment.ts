import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttachment',
  metadata: { name: 'vv7-x' },
  spec: { attacher: 'a.b', nodeName: 'n', source: { persistentVolumeName: 'p' } },
}
