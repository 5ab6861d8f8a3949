import type { CustomResourceDefinition } from '../../../api/gen/apiextensions.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { StorageVersionMigration } from '../../../api/gen/storagemigration.k8s.io/v1alpha1.ts'
import type { Client } from '../../client/index.ts'
import {
  type ControllerContext,
  type ControllerDefinition,
  type DiscoveredResource,
  discover,
  isConflict,
  isNotFound,
  keyOf,
} from '../../controller/index.ts'
import { type Frozen, StatusError } from '../../object/index.ts'
import { begun, failed, holds, isDone, isFirst, resourceKeyOf, succeeded } from './plan.ts'
import { rewriteAll } from './rewrite.ts'

const { storageversionmigrations } = resources.storagemigration.v1alpha1
const { customresourcedefinitions } = resources.apiextensions.v1
const verbsNeeded = ['list', 'update', 'patch']
type Migration = Frozen<StorageVersionMigration>

/**
 * Rewrites all objects of a resource, so that they are stored in the present version and with the present encryption
 * key.
 */
export const storageversionmigrator: ControllerDefinition = {
  name: 'storage-version-migrator-controller',
  aliases: ['svm'],
  account: 'storage-version-migrator-controller',
  gates: ['StorageVersionMigrator'],
  start(context) {
    const migrations = context.informer(storageversionmigrations)
    const queue = context.reconcile({
      name: 'storage_version_migrator',
      workers: 5,
      async turn(name, { client, signal }) {
        const migration = migrations.get(name)
        if (!migration || isDone(migration) || !isFirst(migration, migrations.all())) return
        const next = await step(context, client, migration, signal)
        try {
          await client.resource(storageversionmigrations).updateStatus(next)
        } catch (error) {
          if (!isNotFound(error)) throw error
        }
      },
    })
    migrations.subscribe(({ object }) => {
      const resource = resourceKeyOf(object)
      for (const other of migrations.all())
        if (!isDone(other) && resourceKeyOf(other) === resource) queue.add(keyOf(other))
    })
  },
}

/** Performs the next step of a migration. Each state is written before the step that it announces. */
async function step(
  { clock, log }: ControllerContext,
  client: Client,
  migration: Migration,
  signal: AbortSignal,
): Promise<Migration> {
  try {
    const type = await resourceOf(client, migration)
    const { resourceVersion = '' } = migration.status
    if (resourceVersion === '') {
      const { metadata } = await client.metadata(type).list({ limit: 1 })
      return { ...migration, status: { ...migration.status, resourceVersion: metadata.resourceVersion ?? '' } }
    }
    if (!holds(migration, 'Running')) return begun(migration, clock.now())
    const definition = await definitionOf(client, migration)
    await rewriteAll(client, type, resourceVersion, signal)
    if (definition) await forgetVersions(client, definition)
    return succeeded(migration, clock.now())
  } catch (error) {
    if (!isFinal(error)) throw error
    log.warn('a migration failed', { name: migration.metadata.name, error })
    return failed(migration, error instanceof Error ? error.message : String(error), clock.now())
  }
}

class Unservable extends Error {}

/** False for overload and lost connections, which are temporary. */
function isFinal(error: unknown): boolean {
  if (error instanceof Unservable) return true
  return error instanceof StatusError && error.code >= 400 && error.code < 500 && ![408, 409, 429].includes(error.code)
}

async function resourceOf(client: Client, { spec }: Migration): Promise<DiscoveredResource> {
  const { group = '', resource = '' } = spec.resource
  const { resources: served, failed: unknown } = await discover(client)
  const found = served.find((each) => each.group === group && each.resource === resource)
  if (found && verbsNeeded.every((verb) => found.verbs.includes(verb))) return found
  const name = group === '' ? resource : `${resource}.${group}`
  if (!found && unknown.size > 0) throw new Error(`it is not known whether ${name} is served`)
  throw new Unservable(found ? `${name} can't be listed and updated` : `${name} is not served`)
}

async function definitionOf(
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

/** Removes the other versions from the definition's storedVersions: all objects are stored in the present version. */
async function forgetVersions(client: Client, before: Frozen<CustomResourceDefinition>): Promise<void> {
  const { name = '', generation } = before.metadata
  const live: Frozen<CustomResourceDefinition> = await client.resource(customresourcedefinitions).get({ name })
  const stored = (live.spec.versions ?? []).find(({ storage }) => storage === true)?.name
  if (live.metadata.generation !== generation || stored === undefined) return
  if (live.status?.storedVersions?.join() === stored) return
  try {
    await client
      .resource(customresourcedefinitions)
      .updateStatus({ ...live, status: { ...live.status, storedVersions: [stored] } } as typeof live)
  } catch (error) {
    // The definition has changed: the storage version may be another by now.
    if (!isConflict(error)) throw error
  }
}
