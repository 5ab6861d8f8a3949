import { deepEqual, type OwnerReference } from '../../object/index.ts'
import type { UserInfo } from '../../request/index.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'

/** A permission that the plugin checks. */
export interface OwnerQuestion {
  readonly user: UserInfo
  readonly verb: 'delete' | 'update'
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}

interface OwnerResource {
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly namespaced: boolean
}

interface OwnerDependencies {
  isAllowed(
    question: OwnerQuestion,
    signal: AbortSignal,
  ): Promise<{ readonly allowed: boolean; readonly reason: string }>
  /** Resources of a kind in a version; empty: it is not served. */
  resourcesOf(apiVersion: string, kind: string): readonly OwnerResource[]
}

/**
 * A change of an object's owners requires the permission to delete the object, as the garbage collector would; a
 * reference that blocks the owner's deletion requires the permission to set the owner's finalizers.
 */
export function createOwnerReferencesPermissionEnforcement({
  isAllowed,
  resourcesOf,
}: OwnerDependencies): AdmissionPlugin {
  async function checkDeletion(attributes: AdmissionAttributes): Promise<void> {
    const { user, resource, subresource, namespace, name, signal } = attributes
    const { allowed, reason } = await isAllowed(
      { user, verb: 'delete', ...resource, subresource, namespace, name },
      signal,
    )
    if (!allowed) throw refusal(attributes, `cannot set an ownerRef on a resource you can't delete: ${reason}, <nil>`)
  }

  async function checkOwner(
    attributes: AdmissionAttributes,
    { apiVersion, kind, name }: OwnerReference,
  ): Promise<void> {
    const owners = resourcesOf(apiVersion, kind)
    if (owners.length === 0) {
      const where = `APIVersion ${apiVersion} Kind ${kind}`
      const why = `no matches for kind "${kind}" in version "${apiVersion}"`
      throw refusal(
        attributes,
        `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for ${where}: ${why}`,
      )
    }
    const { user, signal } = attributes
    for (const { namespaced, ...resource } of owners) {
      const namespace = namespaced ? attributes.namespace : ''
      const question = { user, verb: 'update', ...resource, subresource: 'finalizers', namespace, name } as const
      const { allowed, reason } = await isAllowed(question, signal)
      if (!allowed)
        throw refusal(
          attributes,
          `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${reason}, <nil>`,
        )
    }
  }

  return {
    name: 'OwnerReferencesPermissionEnforcement',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    validate(attributes) {
      const { operation, resource, subresource } = attributes
      // Kubelets write the status of pods, and the server ignores the metadata in such a write.
      if (resource.group === '' && resource.resource === 'pods' && subresource === 'status') return undefined
      const now = attributes.object?.metadata.ownerReferences ?? []
      const before = attributes.oldObject?.metadata.ownerReferences ?? []
      if (deepEqual(now, before)) return undefined
      const blocking = newlyBlocking(now, before)
      if (operation === 'CREATE' && blocking.length === 0) return undefined
      return check(attributes, blocking)
    },
  }

  async function check(attributes: AdmissionAttributes, blocking: readonly OwnerReference[]): Promise<void> {
    if (attributes.operation !== 'CREATE') await checkDeletion(attributes)
    for (const reference of blocking) await checkOwner(attributes, reference)
  }
}

function newlyBlocking(now: readonly OwnerReference[], before: readonly OwnerReference[]): OwnerReference[] {
  const known = new Set(before.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true).map(({ uid }) => uid))
  return now.filter(({ blockOwnerDeletion, uid }) => blockOwnerDeletion === true && !known.has(uid))
}
