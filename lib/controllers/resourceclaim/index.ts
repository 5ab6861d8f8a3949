import type { Pod, PodResourceClaim } from '../../../api/gen/core/v1.ts'
import type { ResourceClaim, ResourceClaimTemplate } from '../../../api/gen/resource.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import {
  type ControllerContext,
  type ControllerDefinition,
  discoverTypes,
  type Index,
  type Informer,
  isNotFound,
  joinKey,
  keyOf,
  namespaceOf,
} from '../../controller/index.ts'
import type { Frozen, ResourceType } from '../../object/index.ts'
import { messageOf } from '../shared/messageof.ts'
import { type ClaimMetrics, createClaimMetrics, isAdminAccess } from './metrics.ts'
import { podsNow } from './observe.ts'
import {
  claimAnnotation,
  claimNamesOf,
  generateNameOf,
  isDone,
  planClaim,
  planPod,
  podOwner,
  protection,
} from './plan.ts'

const { pods: podsType } = resources.core.v1
const fieldManager = 'ResourceClaimController'

/** Claims and templates in the version that the server prefers: the fields used here are the same in all versions. */
interface Types {
  readonly claims: ResourceType<ResourceClaim>
  readonly templates: ResourceType<ResourceClaimTemplate>
}

const { v1, v1beta2, v1beta1 } = resources.resource

function inVersions<Name extends 'resourceclaims' | 'resourceclaimtemplates'>(
  name: Name,
): readonly (typeof v1)[Name][] {
  return [v1, v1beta2, v1beta1].map((version) => version[name] as (typeof v1)[Name])
}

/** Creates the claims of pods from templates, and deallocates the devices of claims that no pod uses. */
export const resourceclaim: ControllerDefinition = {
  name: 'resourceclaim-controller',
  aliases: ['resource-claim-controller'],
  account: 'resource-claim-controller',
  component: 'resource_claim',
  gates: ['DynamicResourceAllocation'],
  async start(context) {
    const types = await servedTypes(context)
    if (!types) return context.log.info('the server serves no resource claims: none are created')
    const pods = context.informer(podsType)
    const claims = context.informer(types.claims)
    const templates = context.informer(types.templates)
    const metrics = createClaimMetrics(context.metrics, () => claims.all())
    const dependencies = { context, types, pods, claims, templates, metrics }
    const queue = context.reconcile({
      name: 'resource_claim',
      workers: context.settings.concurrentResourceclaimSyncs,
      async turn(key, { client }) {
        const at = key.indexOf(':')
        const name = key.slice(at + 1)
        if (key.startsWith('pod:')) await syncPod(dependencies, name, client)
        else await syncClaim(dependencies, name, client)
      },
    })
    pods.subscribe(({ object, deleted }) => {
      if (!object.spec.resourceClaims?.length && !object.status.extendedResourceClaimStatus) return
      const isOver = deleted === true || isDone(object)
      if (!isOver) queue.add(`pod:${keyOf(object)}`)
      else for (const claim of claims.by(claimsByPod, object.metadata.uid ?? '')) queue.add(`claim:${keyOf(claim)}`)
    })
    claims.subscribe(({ object, deleted }) => {
      if (!deleted) queue.add(`claim:${keyOf(object)}`)
      for (const pod of pods.by(podsByClaim, keyOf(object))) queue.add(`pod:${keyOf(pod)}`)
      const owner = podOwner(object.metadata)
      if (owner) queue.add(`pod:${joinKey(namespaceOf(object), owner.name)}`)
    })
    templates.subscribe(({ object, before, deleted }) => {
      if (before || deleted) return
      for (const pod of pods.by(podsByTemplate, keyOf(object))) queue.add(`pod:${keyOf(pod)}`)
    })
  },
}

interface Dependencies {
  readonly context: ControllerContext
  readonly types: Types
  readonly pods: Informer<Pod>
  readonly claims: Informer<ResourceClaim>
  readonly templates: Informer<ResourceClaimTemplate>
  readonly metrics: ClaimMetrics
}

async function servedTypes({ client, signal }: ControllerContext): Promise<Types | undefined> {
  const served = await discoverTypes(client, signal)
  const claims = served.pick(inVersions('resourceclaims'))
  const templates = served.pick(inVersions('resourceclaimtemplates'))
  return claims && templates ? { claims, templates } : undefined
}

/** By uid of the pods that use a claim or for which it was created. */
const claimsByPod: Index<ResourceClaim> = {
  values: ({ metadata, status }) => [
    ...new Set([...(status?.reservedFor ?? []), ...(metadata.ownerReferences ?? [])].map(({ uid }) => uid)),
  ],
}

const podsByClaim: Index<Pod> = {
  values: (pod) => claimNamesOf(pod).map((name) => joinKey(pod.metadata.namespace ?? '', name)),
}

const podsByTemplate: Index<Pod> = {
  values: ({ metadata, spec }) =>
    (spec.resourceClaims ?? []).flatMap(({ resourceClaimTemplateName: name }) =>
      name === undefined ? [] : [joinKey(metadata.namespace ?? '', name)],
    ),
}

async function syncPod(dependencies: Dependencies, key: string, client: Client): Promise<void> {
  const { context, types, pods, claims } = dependencies
  const pod = pods.get(key)
  if (!pod) return
  const owned = claims
    .by(claimsByPod, pod.metadata.uid ?? '')
    .filter(({ metadata }) => podOwner(metadata)?.uid === pod.metadata.uid)
  const planned = planPod(pod, (name) => claims.get(joinKey(namespaceOf(pod), name)), owned)
  const names = new Map(planned.known)
  const problems: string[] = []
  for (const entry of planned.make)
    try {
      names.set(entry.name, await createClaim(dependencies, pod, entry, client))
    } catch (error) {
      problems.push(`PodResourceClaim ${entry.name}: ${messageOf(error)}`)
      // An apply must contain all entries that it owns: an entry without its old name would be removed.
      const noted = pod.status.resourceClaimStatuses?.find(({ name }) => name === entry.name)
      if (noted?.resourceClaimName !== undefined) names.set(entry.name, noted.resourceClaimName)
    }
  for (const problem of problems) context.events.event(pod, 'Warning', 'FailedResourceClaimCreation', problem)
  await writeClaimNames(pod, names, client)
  for (const claim of planned.reserve) {
    const consumer = { resource: 'pods', name: pod.metadata.name ?? '', uid: pod.metadata.uid ?? '' }
    const reservedFor = [...(claim.status.reservedFor ?? []), consumer]
    await client.resource(types.claims).updateStatus({ ...claim, status: { ...claim.status, reservedFor } })
  }
  if (problems.length > 0) throw new Error(problems.join('; '))
}

/** Returns the name of the new claim. */
async function createClaim(
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
async function writeClaimNames(pod: Frozen<Pod>, names: ReadonlyMap<string, string>, client: Client): Promise<void> {
  const known = new Map(
    pod.status.resourceClaimStatuses?.map(({ name, resourceClaimName }) => [name, resourceClaimName]),
  )
  if (Array.from(names).every(([name, claim]) => known.get(name) === claim)) return
  const resourceClaimStatuses = Array.from(names, ([name, resourceClaimName]) => ({ name, resourceClaimName }))
  const { namespace, name, uid } = pod.metadata
  const body = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name, uid }, status: { resourceClaimStatuses } }
  await client.resource(podsType).patchStatus(pod.metadata, 'apply', body, { fieldManager, force: true })
}

async function syncClaim({ types, pods, claims }: Dependencies, key: string, client: Client): Promise<void> {
  const claim = claims.get(key)
  if (!claim) return
  const namespace = namespaceOf(claim)
  const shown = (name: string) => pods.get(joinKey(namespace, name))
  const known = await podsNow(claim, shown, (name) => readPod(namespace, name, client))
  const planned = planClaim(claim, (name) => known.get(name))
  const written = client.resource(types.claims)
  let current = claim
  if (planned.reservedFor || (planned.deallocate && claim.status.allocation)) {
    const { allocation: _freed, reservedFor: _before, ...rest } = claim.status
    const allocation = planned.deallocate ? undefined : claim.status.allocation
    const reservedFor = planned.reservedFor ?? claim.status.reservedFor ?? []
    const status = {
      ...rest,
      allocation,
      reservedFor: reservedFor.length > 0 ? reservedFor : undefined,
    }
    current = await written.updateStatus({ ...claim, status })
  }
  if (planned.deallocate) {
    const finalizers = current.metadata.finalizers?.filter((each) => each !== protection) ?? []
    await passGone(written.update({ ...current, metadata: { ...current.metadata, finalizers } }))
  }
  if (planned.remove) await passGone(written.delete(claim.metadata, { uid: claim.metadata.uid }))
}

async function readPod(namespace: string, name: string, client: Client): Promise<Frozen<Pod> | undefined> {
  try {
    return await client.resource(podsType).get({ namespace, name })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

async function passGone(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isNotFound(error)) throw error
  })
}
