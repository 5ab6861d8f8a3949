import type { ConfigMap } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import {
  type ControllerDefinition,
  isAlreadyExists,
  isNamespaceTerminating,
  isNotFound,
  joinKey,
  keyOf,
  namespaceOf,
} from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { withSyncMetrics } from '../shared/syncmetrics.ts'

const mapName = 'kube-root-ca.crt'
const dataKey = 'ca.crt'
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.'
const annotation = 'kubernetes.io/description'

/** Publishes the API server's certificate authority in each namespace, for pods to mount. */
export const rootca: ControllerDefinition = {
  name: 'root-ca-certificate-publisher-controller',
  aliases: ['root-ca-cert-publisher'],
  account: 'root-ca-cert-publisher',
  disabled: ({ rootCa }) => rootCa === '',
  start(context) {
    const { namespaces, configmaps } = resources.core.v1
    const { rootCa } = context.settings
    const known = context.informer(namespaces)
    const maps = context.informer(configmaps)
    const measured = withSyncMetrics(context, 'root_ca_cert_publisher')
    const queue = context.reconcile({
      name: 'root_ca_cert_publisher',
      workers: 1,
      turn: (namespace, { client }) =>
        measured(async () => {
          if (known.get(namespace)?.status.phase !== 'Active') return
          const planned = planMap(maps.get(joinKey(namespace, mapName)), namespace, rootCa)
          if (!planned) return
          const published = client.resource(configmaps)
          try {
            await (planned.metadata.uid === undefined ? published.create(planned) : published.update(planned))
          } catch (error) {
            if (!isAlreadyExists(error) && !isNamespaceTerminating(error) && !isNotFound(error)) throw error
          }
        }),
    })
    known.subscribe(({ object, deleted }) => {
      if (!deleted) queue.add(keyOf(object))
    })
    maps.subscribe(({ object }) => {
      if (object.metadata.name === mapName) queue.add(namespaceOf(object))
    })
  },
}

/** The map to create or update; undefined: it needs no change. */
function planMap(
  known: Frozen<ConfigMap> | undefined,
  namespace: string,
  rootCa: string,
): Frozen<ConfigMap> | undefined {
  const data = { [dataKey]: rootCa }
  const annotations = { [annotation]: description }
  if (!known) return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: mapName, annotations }, data }
  const isRight =
    Object.keys(known.data ?? {}).length === 1 &&
    known.data?.[dataKey] === rootCa &&
    known.metadata.annotations?.[annotation] === description
  if (isRight) return undefined
  return {
    ...known,
    metadata: { ...known.metadata, annotations: { ...known.metadata.annotations, ...annotations } },
    data,
  }
}
