import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'certificates.k8s.io/v1beta1',
  kind: 'PodCertificateRequest',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: {
    signerName: 'example.com/signer',
    podName: 'web-0',
    podUID: '0b6a4c0e-2b0f-4a0c-8f0e-6a0b4c0e2b0f',
    serviceAccountName: 'web',
    serviceAccountUID: '1b6a4c0e-2b0f-4a0c-8f0e-6a0b4c0e2b0f',
    nodeName: 'node-1',
    nodeUID: '2b6a4c0e-2b0f-4a0c-8f0e-6a0b4c0e2b0f',
    maxExpirationSeconds: 86_400,
    stubPKCS10Request:
      'MIG6MGICAQAwADBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHF0MMcOevfIvW2iCvs0dJo1ZeSWbc5PQ3E5+7L5OfDenWESyVh+Hcaz05Jig7SKj/n6En6S6/RNo0hMgrEveiqgADAKBggqhkjOPQQDAgNIADBFAiAhGzZEQqodGuHNK3ysXDXlEznowje1B9vdKlfS1YeImgIhANrW1osWELY6kFAuWgRC3Te8Ef959C+Psj1eeviN2KcX',
  },
}
