import { type ApiObject, formatMicroTime, parseTime, StatusError } from '../../object/index.ts'
import { listEntries, type Registry, type ResourceRegistry, type WriteContext } from '../../registry/index.ts'
import { plainDeletion } from '../../request/index.ts'
import { serverId } from '../peers/serverid.ts'
import { createHook, type Hook, type HookServices } from './hook.ts'
import { ownContext } from './ownwrites.ts'

const namespace = 'kube-system'
export const identityLabel = 'apiserver.kubernetes.io/identity'
export const identityValue = 'kube-apiserver'
const peerAddress = 'kubernetes.io/peer-advertise-address'
const durationSeconds = 3600
const renewMs = 10_000
const collectMs = 3_600_000

interface LeaseSpec {
  readonly holderIdentity?: string
  readonly leaseDurationSeconds?: number
  readonly renewTime?: string
}

const specOf = (lease: ApiObject): LeaseSpec => (lease['spec'] ?? {}) as LeaseSpec

/**
 * Publishes the cluster's API servers: one Lease each, renewed while the server runs. The first replica that finds the
 * Lease of a server that ended an hour ago deletes it.
 */
export function createIdentityLeases(
  services: HookServices & { registry: Registry },
  /**
   * `advertised`: this server's address for other replicas, once it listens; absent: they don't forward requests to it.
   * `runId`: of this run of the server, the same in all of its processes; random by default.
   */
  {
    hostName,
    advertised,
    runId = services.random.uuid(),
  }: {
    readonly hostName: string
    readonly advertised?: Promise<string> | undefined
    readonly runId?: string | undefined
  },
): readonly Hook[] {
  const { clock, log, registry } = services
  const name = serverId(hostName)
  const holder = `${name}_${runId}`

  async function renew(leases: ResourceRegistry, context: WriteContext): Promise<void> {
    const target = leases.target(namespace, name)
    const annotations = advertised && { [peerAddress]: await advertised }
    const renewed = (metadata: ApiObject['metadata']): ApiObject => ({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: annotations ? { ...metadata, annotations: { ...metadata.annotations, ...annotations } } : metadata,
      spec: {
        holderIdentity: holder,
        leaseDurationSeconds: durationSeconds,
        renewTime: formatMicroTime(clock.now()),
      },
    })
    const labels = { [identityLabel]: identityValue, 'kubernetes.io/hostname': hostName }
    const transform = (found: { readonly object: ApiObject } | undefined): ApiObject =>
      renewed(found ? { ...found.object.metadata } : { name, namespace, labels })
    await leases.update(target, { subresource: '', createMissing: true, transform }, context)
  }

  async function collect(leases: ResourceRegistry, context: WriteContext): Promise<void> {
    for (const entry of await listEntries(leases, namespace, { at: 'any' })) {
      if (entry.labels()[identityLabel] !== identityValue || !isExpired(entry.object(), clock.now())) continue
      const { name: expired = '', uid } = entry.object().metadata
      log.info('deleting the lease of a stopped API server', { name: expired })
      await remove(leases, expired, uid, context)
    }
  }

  async function remove(
    leases: ResourceRegistry,
    expired: string,
    uid: string | undefined,
    context: WriteContext,
  ): Promise<void> {
    const preconditions = uid === undefined ? undefined : { uid }
    try {
      await leases.delete(leases.target(namespace, expired), { ...plainDeletion, preconditions }, context)
    } catch (error) {
      // Another replica was first.
      if (!(error instanceof StatusError && (error.code === 404 || error.code === 409))) throw error
    }
  }

  function repeating(
    name: string,
    repeatMs: number,
    run: (leases: ResourceRegistry, context: WriteContext) => Promise<void>,
  ): Hook {
    return createHook(services, {
      name,
      repeatMs,
      retry: 'in-background',
      async run(signal) {
        const leases = registry.resource({ group: 'coordination.k8s.io', resource: 'leases' })
        if (leases) await run(leases, ownContext(signal))
      },
    })
  }

  return [
    repeating('start-kube-apiserver-identity-lease-controller', renewMs, renew),
    repeating('start-kube-apiserver-identity-lease-garbage-collector', collectMs, collect),
  ]
}

/** True also for a lease without a renew time: no replica renews it. */
function isExpired(lease: ApiObject, nowMs: number): boolean {
  const { renewTime, leaseDurationSeconds } = specOf(lease)
  if (renewTime === undefined || leaseDurationSeconds === undefined) return true
  return parseTime(renewTime) + leaseDurationSeconds * 1000 < nowMs
}
