import type { Pod, PodResourceClaim } from '../../../api/gen/core/v1.ts'
import type { ResourceClaim, ResourceClaimTemplate } from '../../../api/gen/resource.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { type ControllerContext, type Informer, isNotFound, joinKey, namespaceOf } from '../../controller/index.ts'
import type { Frozen, ResourceType } from '../../object/index.ts'
import { messageOf } from '../shared/messageof.ts'
import { type ClaimMetrics, isAdminAccess } from './metrics.ts'
import { claimAnnotation, generateNameOf } from './plan.ts'

const { pods: podsType } = resources.core.v1
const fieldManager = 'ResourceClaimController'

export interface Dependencies {
  readonly context: ControllerContext
  readonly types: Types
  readonly pods: Informer<Pod>
  readonly claims: Informer<ResourceClaim>
  readonly templates: Informer<ResourceClaimTemplate>
  readonly metrics: ClaimMetrics
}

/** Claims and templates in the version that the server prefers: the fields used here are the same in all versions. */
export interface Types {
  readonly claims: ResourceType<ResourceClaim>
  readonly templates: ResourceType<ResourceClaimTemplate>
}

/** Returns the name of the new claim. */
export async function createClaim(
  { context, types, templates, metrics }: Dependencies,
  pod: Frozen<Pod>,
  entry: Frozen<PodResourceClaim>,
  client: Client,
): Promise<string> {
  const { resourceClaimTemplateName: templateName = '' } = entry
  const template = templates.get(joinKey(namespaceOf(pod), templateName))
  if (!template) {
    const why = `resourceclaimtemplate.resource.k8s.io "${templateName}" not found`
    throw new Error(`resource claim template "${templateName}": ${why}`)
  }
  const { metadata, spec } = template.spec
  const { name = '', uid = '' } = pod.metadata
  const admin = isAdminAccess(spec)
  if (admin && !context.gate('DRAAdminAccess'))
    throw new Error('admin access is requested, but the feature is disabled')
  try {
    const made = await client.resource(types.claims).create({
      apiVersion: `resource.k8s.io/${types.claims.version}`,
      kind: 'ResourceClaim',
      metadata: {
        namespace: namespaceOf(pod),
        generateName: generateNameOf(name, entry.name),
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid, controller: true }],
        annotations: { ...metadata?.annotations, [claimAnnotation]: entry.name },
        labels: metadata?.labels,
      },
      spec,
      status: {},
    })
    metrics.created(true, admin)
    return made.metadata.name ?? ''
  } catch (error) {
    metrics.created(false, admin)
    // The stock message has the claim's name here, which is empty: the server generates it.
    throw new Error(`create ResourceClaim : ${messageOf(error)}`, { cause: error })
  }
}

/** Writes the names of the pod's claims into its status, unless it has them. */
export async function writeClaimNames(
  pod: Frozen<Pod>,
  names: ReadonlyMap<string, string>,
  client: Client,
): Promise<void> {
  const known = new Map(
    pod.status.resourceClaimStatuses?.map(({ name, resourceClaimName }) => [name, resourceClaimName]),
  )
  if (Array.from(names).every(([name, claim]) => known.get(name) === claim)) return
  const resourceClaimStatuses = Array.from(names, ([name, resourceClaimName]) => ({ name, resourceClaimName }))
  const { namespace, name, uid } = pod.metadata
  const body = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name, uid }, status: { resourceClaimStatuses } }
  await client.resource(podsType).patchStatus(pod.metadata, 'apply', body, { fieldManager, force: true })
}

export async function readPod(namespace: string, name: string, client: Client): Promise<Frozen<Pod> | undefined> {
  try {
    return await client.resource(podsType).get({ namespace, name })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

export async function passGone(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isNotFound(error)) throw error
  })
}
