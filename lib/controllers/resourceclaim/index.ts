import type { Pod } from '../../../api/gen/core/v1.ts'
import type { ResourceClaim } from '../../../api/gen/resource.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import {
  type ControllerContext,
  type ControllerDefinition,
  discoverTypes,
  type Index,
  joinKey,
  keyOf,
  namespaceOf,
} from '../../controller/index.ts'
import { messageOf } from '../shared/messageof.ts'
import { createClaimMetrics } from './metrics.ts'
import { podsNow } from './observe.ts'
import { createClaim, type Dependencies, passGone, readPod, type Types, writeClaimNames } from './perform.ts'
import { claimNamesOf, isDone, planClaim, planPod, podOwner, protection } from './plan.ts'

const { pods: podsType } = resources.core.v1

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
