import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { ClusterTrustBundle } from '../../../api/gen/certificates.k8s.io/v1beta1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { eventually } from '../../support/eventually.ts'

const { clustertrustbundles } = resources.certificates.v1beta1
const signer = 'kubernetes.io/kube-apiserver-serving'

describe('the bundle of the authority that verifies the API server', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane({
      controllers: [
        'kube-apiserver-serving-clustertrustbundle-publisher-controller',
        'root-ca-certificate-publisher-controller',
      ],
      featureGates: { ClusterTrustBundle: true },
      runtimeConfig: { 'certificates.k8s.io/v1beta1': true },
    })
  })
  after(async () => {
    await plane.stop()
  })

  const bundles = async (): Promise<readonly ClusterTrustBundle[]> =>
    (await plane.client.resource(clustertrustbundles).list()).items as readonly ClusterTrustBundle[]
  const isPublished = async (): Promise<boolean> => {
    const [bundle, ...others] = await bundles()
    if (!bundle || others.length > 0) return false
    const { signerName, trustBundle } = bundle.spec
    const digest = createHash('sha256').update(trustBundle).digest('hex').slice(0, 24)
    const name = `kubernetes.io:kube-apiserver-serving:${digest}`
    return bundle.metadata.name === name && signerName === signer && trustBundle.includes('BEGIN CERTIFICATE')
  }

  it('is published, and again when it was changed or deleted; other bundles of its signer are deleted', async () => {
    await eventually(isPublished, 'the bundle is there')
    const [bundle] = await bundles()
    assert.ok(bundle)
    const { name = '' } = bundle.metadata
    const published = plane.client.resource(clustertrustbundles)
    await published.delete({ name })
    await eventually(isPublished, 'the bundle is there again')
    await published.create({ ...bundle, metadata: { name: 'kubernetes.io:kube-apiserver-serving:former' } })
    await eventually(isPublished, 'the other bundle is gone')
  })
})
