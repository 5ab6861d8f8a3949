import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'vv7-x' },
  spec: {
    request:
      'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIZU1JR0ZBZ0VBTUNNeEZUQVRCZ05WQkFvTURITjVjM1JsYlRwdWIyUmxjekVLTUFnR0ExVUVBd3dCWVRCWgpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQUJFR0NGWWo0WGwxbDEzMkFXd0M2WnNrQzBxd24rN0xJClF3SlBoSGFQanFVODlSaEh5L2RocW5qN252NFArelVKVy9VenlseU9YeW1mT3ZRSTFYVjc1RWlnQURBS0JnZ3EKaGtqT1BRUURBZ05JQURCRkFpRUFpWWtucTR0R0ZqcUlNMnIzcGY0S09nOHhLZWFZUE9DWmltLzdCdkhqS3pRQwpJRGtORUlWUmpKeTI5M2swVnZ6c0JITWJXd1NNQW5IdU9tMmZldzMyVjdlOAotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K',
    signerName: 'example.com/signer',
    expirationSeconds: 3600,
    usages: ['client auth'],
  },
}
