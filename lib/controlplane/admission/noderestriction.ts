import { type AvailablePlugin, createNodeRestriction, type NodeResource } from '../../admission/index.ts'
import type { Authorizer } from '../../authz/index.ts'
import type { ApiObject } from '../../object/index.ts'
import { readSigningRequest } from '../../pki/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { ApiserverConfig } from '../config.ts'

/** Restricts kubelets to their own objects. */
export function nodeRestriction(
  { gates, apiAudiences }: ApiserverConfig,
  { registry, authorizer }: { registry: Registry; authorizer: Authorizer },
): AvailablePlugin {
  return {
    name: 'NodeRestriction',
    onByDefault: false,
    create: () =>
      createNodeRestriction(
        {
          find: (resource, namespace, name, signal) => find(registry, resource, namespace, name, signal),
          commonNameOf: (request) => readSigningRequest(request).commonName,
          async isAllowed({ user, signal }, question) {
            const of = { isResource: true, path: '', group: '', version: '*', subresource: '' }
            const { decision } = await authorizer.authorize({ user, ...of, ...question }, { signal })
            return decision === 'allow'
          },
        },
        {
          apiAudiences,
          restrictAudiences: gates.gate('ServiceAccountNodeAudienceRestriction'),
          podCertificates: gates.gate('PodCertificateRequest'),
          anySigningRequests: gates.gate('AllowInsecureKubeletCertificateSigningRequests'),
        },
      ),
  }
}

/** From the cache, and missing ones from the store, as the cache may be behind. */
async function find(
  registry: Registry,
  resource: NodeResource,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<ApiObject | undefined> {
  const stored = registry.resource({ group: resource === 'csidrivers' ? 'storage.k8s.io' : '', resource })
  if (!stored) return undefined
  const { key } = stored.target(namespace, name)
  const known = stored.cache.peek(key)
  if (known) return known.object()
  const { entry } = await stored.cache.get(key, { at: { kind: 'latest' }, signal })
  return entry?.object()
}
