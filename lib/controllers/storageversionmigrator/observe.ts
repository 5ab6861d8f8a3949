import type { CustomResourceDefinition } from '../../../api/gen/apiextensions.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { StorageVersionMigration } from '../../../api/gen/storagemigration.k8s.io/v1alpha1.ts'
import type { Client } from '../../client/index.ts'
import { type DiscoveredResource, discover, isNotFound } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'

const { customresourcedefinitions } = resources.apiextensions.v1
type Migration = Frozen<StorageVersionMigration>

const verbsNeeded = ['list', 'update', 'patch']

export class Unservable extends Error {}

export async function resourceOf(client: Client, { spec }: Migration): Promise<DiscoveredResource> {
  const { group = '', resource = '' } = spec.resource
  const { resources: served, failed: unknown } = await discover(client)
  const found = served.find((each) => each.group === group && each.resource === resource)
  if (found && verbsNeeded.every((verb) => found.verbs.includes(verb))) return found
  const name = group === '' ? resource : `${resource}.${group}`
  if (!found && unknown.size > 0) throw new Error(`it is not known whether ${name} is served`)
  throw new Unservable(found ? `${name} can't be listed and updated` : `${name} is not served`)
}

export async function definitionOf(
  client: Client,
  { spec }: Migration,
): Promise<Frozen<CustomResourceDefinition> | undefined> {
  const { group = '', resource = '' } = spec.resource
  if (!group.includes('.')) return undefined
  try {
    return await client.resource(customresourcedefinitions).get({ name: `${resource}.${group}` })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
