import { createHash } from 'node:crypto'
import type { ClusterTrustBundle } from '../../../api/gen/certificates.k8s.io/v1beta1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, discoverTypes, isNotFound } from '../../controller/index.ts'
import type { Frozen, ResourceType } from '../../object/index.ts'
import { withSyncMetrics } from '../shared/syncmetrics.ts'
import { plan } from './plan.ts'

const signerName = 'kubernetes.io/kube-apiserver-serving'
const versions = [
  resources.certificates.v1beta1.clustertrustbundles,
  // The fields are the same.
  resources.certificates.v1alpha1.clustertrustbundles,
]

/** Publishes the API server's certificate authority as a bundle, for pods to project. */
export const trustbundlepublisher: ControllerDefinition = {
  name: 'kube-apiserver-serving-clustertrustbundle-publisher-controller',
  account: 'kube-apiserver-serving-clustertrustbundle-publisher',
  gates: ['ClusterTrustBundle'],
  disabled: ({ rootCa }) => rootCa === '',
  async start(context) {
    const type = (await discoverTypes(context.client, context.signal)).pick(versions)
    if (!type) return context.log.info('the server serves no bundles: its authority is not published')
    const bundles = context.informer(type)
    const measured = withSyncMetrics(context, 'clustertrustbundle_publisher')
    const wanted = bundleOf(context.settings.rootCa, type)
    const queue = context.reconcile({
      name: 'ctb_publisher_controller',
      workers: 1,
      turn: (_key, { client }) =>
        measured(async () => {
          const { write, remove } = plan(wanted, bundles.all())
          const published = client.resource(type)
          if (write) await (write.metadata.uid === undefined ? published.create(write) : published.update(write))
          for (const name of remove)
            await published.delete({ name }).catch((error: unknown) => {
              if (!isNotFound(error)) throw error
            })
        }),
    })
    bundles.subscribe(({ object }) => {
      if (object.spec.signerName === signerName) queue.add('')
    })
    context.whenSynced(() => queue.add(''))
  },
}

/** The name contains a digest, so that a new authority's bundle exists beside the former one until pods use it. */
function bundleOf(
  trustBundle: string,
  { group, version }: ResourceType<ClusterTrustBundle>,
): Frozen<ClusterTrustBundle> {
  const digest = createHash('sha256').update(trustBundle).digest('hex').slice(0, 24)
  return {
    apiVersion: `${group}/${version}`,
    kind: 'ClusterTrustBundle',
    metadata: { name: `${signerName.replace('/', ':')}:${digest}` },
    spec: { signerName, trustBundle },
  }
}
