import type { ClusterTrustBundle } from '../../../api/gen/certificates.k8s.io/v1beta1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { plan } from '../../../lib/controllers/trustbundlepublisher/plan.ts'
import { runScripts } from '../../support/controllerscript.ts'

runScripts('trustbundlepublisher', ({ input, lister }) => {
  const wanted = {
    apiVersion: 'certificates.k8s.io/v1beta1',
    kind: 'ClusterTrustBundle',
    metadata: { name: 'kubernetes.io:kube-apiserver-serving:aa' },
    spec: { signerName: 'kubernetes.io/kube-apiserver-serving', trustBundle: String(input['bundle']) },
  } as ClusterTrustBundle
  const { write, remove } = plan(wanted, lister(resources.certificates.v1beta1.clustertrustbundles).all())
  return {
    write:
      write &&
      `${write.metadata.uid === undefined ? 'create' : 'update'} ${write.metadata.name} ${write.spec.trustBundle}`,
    remove,
  }
})
