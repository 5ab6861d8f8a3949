import type { AllocatedDeviceStatus, ResourceClaim, ResourceClaimStatus } from '../../api/gen/resource.k8s.io/v1.ts'
import {
  type ApiObject,
  type FieldError,
  fieldErrors,
  semanticEqual,
  statusErrors,
  validateDns1123Subdomain,
} from '../object/index.ts'
import type { UserInfo } from '../request/index.ts'
import type { AuthorizationAttributes, Authorizer } from './authorizer.ts'
import { forbiddenMessage } from './forbidden.ts'

interface ClaimStatusWrite {
  readonly user: UserInfo
  /** `update` or `patch`. */
  readonly verb: string
  readonly object: ApiObject
  readonly old: ApiObject
  readonly signal: AbortSignal
}

const group = 'resource.k8s.io'
const resource = 'resourceclaims'
const nodeNameKey = 'authentication.kubernetes.io/node-name'
const accountName = /^system:serviceaccount:[^:]+:[^:]+$/

/**
 * The permissions for parts of a claim's status (KEP-4817, release 1.36): `resourceclaims/binding` for its allocation
 * and consumers, and for devices `resourceclaims/driver` with the driver as name and the verb `associated-node:…`, for
 * a service account on the claim's node, or `arbitrary-node:…`. Returns an error for each that is missing.
 */
export function createClaimStatusAccess(authorizer: Authorizer): (write: ClaimStatusWrite) => Promise<FieldError[]> {
  /** The message of the refusal; undefined where it is allowed. */
  async function refusal(write: ClaimStatusWrite, part: Partial<AuthorizationAttributes>): Promise<string | undefined> {
    const { user, verb, signal } = write
    const asked = { user, verb, isResource: true, path: '', group, version: 'v1', resource, subresource: '' }
    const attributes = { ...asked, namespace: '', name: '', ...part }
    const { decision, reason, error } = await authorizer.authorize(attributes, { signal })
    if (decision === 'allow') return undefined
    const reasons = [error ? 'authorization could not be decided' : '', reason].filter((text) => text !== '')
    return statusErrors.forbidden(
      { group, resource },
      attributes.name,
      forbiddenMessage(attributes, reasons.join(': ')),
    ).message
  }

  async function bindingFaults(write: ClaimStatusWrite): Promise<FieldError[]> {
    const [now, old] = [statusOf(write.object), statusOf(write.old)]
    const bindings = ({ allocation, reservedFor = [] }: ResourceClaimStatus): object => ({ allocation, reservedFor })
    if (semanticEqual(bindings(now), bindings(old))) return []
    const refused = await refusal(write, { subresource: 'binding' })
    if (refused === undefined) return []
    const needs = `requires resource="resourceclaims/binding", verb="${write.verb}" permission`
    return [fieldErrors.forbidden('status', `changing status.allocation or status.reservedFor ${needs}: ${refused}`)]
  }

  async function driverFaults(write: ClaimStatusWrite): Promise<FieldError[]> {
    const { object, old, user, verb } = write
    const faults: FieldError[] = []
    const near = isOnNode(user, allocatedNode(statusOf(object))) ? [`associated-node:${verb}`] : []
    const verbs = [...near, `arbitrary-node:${verb}`]
    for (const name of [...changedDrivers(statusOf(object), statusOf(old))].sort()) {
      const refused = await firstRefusal(write, verbs, name)
      if (refused === undefined) continue
      const needs = `requires resource="resourceclaims/driver", verb="[${verbs.join(' ')}]" permission`
      faults.push(fieldErrors.forbidden('status.devices', `changing status.devices ${needs}: ${refused}`))
    }
    return faults
  }

  /** Undefined where one of the verbs is allowed. */
  async function firstRefusal(
    write: ClaimStatusWrite,
    verbs: readonly string[],
    name: string,
  ): Promise<string | undefined> {
    const namespace = write.object.metadata.namespace ?? ''
    let first: string | undefined
    for (const verb of verbs) {
      const refused = await refusal(write, { verb, subresource: 'driver', namespace, name })
      if (refused === undefined) return undefined
      first ??= refused
    }
    return first
  }

  return async (write) => [...(await bindingFaults(write)), ...(await driverFaults(write))]
}

function statusOf(object: ApiObject): ResourceClaimStatus {
  // Callers pass claims in the hub version.
  return (object as ResourceClaim).status ?? {}
}

/** Drivers whose entries the write adds, changes or removes. */
function changedDrivers(now: ResourceClaimStatus, old: ResourceClaimStatus): Set<string> {
  const drivers = new Set<string>()
  const known = new Map((old.devices ?? []).map((device) => [keyOf(device), device]))
  for (const device of now.devices ?? []) {
    const before = known.get(keyOf(device))
    known.delete(keyOf(device))
    if (before === undefined || !semanticEqual(before, device)) drivers.add(device.driver)
  }
  for (const { driver } of known.values()) drivers.add(driver)
  return drivers
}

function keyOf({ driver, pool, device, shareID = '' }: AllocatedDeviceStatus): string {
  return JSON.stringify([driver, pool, device, shareID])
}

/** The one node that an allocation names; '' for allocations of other forms. */
function allocatedNode({ allocation }: ResourceClaimStatus): string {
  const [term, ...terms] = allocation?.nodeSelector?.nodeSelectorTerms ?? []
  const [field, ...fields] = term?.matchFields ?? []
  if (field === undefined || terms.length > 0 || fields.length > 0 || term?.matchExpressions?.length) return ''
  const { key, operator, values = [] } = field
  return key === 'metadata.name' && operator === 'In' && values.length === 1 ? (values[0] ?? '') : ''
}

/** Whether the user is a service account whose pod runs on the node. */
function isOnNode({ name, extra }: UserInfo, node: string): boolean {
  const nodes = extra[nodeNameKey] ?? []
  return (
    node !== '' &&
    accountName.test(name) &&
    nodes.length === 1 &&
    nodes[0] === node &&
    validateDns1123Subdomain(node).length === 0
  )
}
