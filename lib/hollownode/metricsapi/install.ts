import type { APIService } from '../../../api/gen/apiregistration.k8s.io/v1.ts'
import type { Service } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { isAlreadyExists, isNotFound } from '../../controller/index.ts'

const namespace = 'kube-system'
const serviceName = 'hollow-metrics'
/** The name in the certificate. */
export const serverName = `${serviceName}.${namespace}.svc`
const apiServiceName = 'v1beta1.metrics.k8s.io'

/** Registers the metrics API of this process, unless another server provides one. */
export async function installMetricsApi(
  client: Client,
  { address, port, authority }: { readonly address: string; readonly port: number; readonly authority: string },
): Promise<void> {
  const apiServices = client.resource(resources.apiregistration.v1.apiservices)
  const known = await apiServices.get({ name: apiServiceName }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
  if (known && known.spec.service?.name !== serviceName) return
  const service: Service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name: serviceName },
    spec: { type: 'ExternalName', externalName: address },
    status: { loadBalancer: {} },
  }
  await client
    .resource(resources.core.v1.services)
    .create(service)
    .catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error
    })
  const spec: APIService['spec'] = {
    group: 'metrics.k8s.io',
    version: 'v1beta1',
    groupPriorityMinimum: 100,
    versionPriority: 100,
    service: { namespace, name: serviceName, port },
    caBundle: Buffer.from(authority).toString('base64'),
  }
  if (known) await apiServices.patch({ name: apiServiceName }, 'merge', { spec })
  else
    await apiServices.create({
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: apiServiceName },
      spec,
      status: {},
    })
}
