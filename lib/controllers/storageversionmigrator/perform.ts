import type { CustomResourceDefinition } from '../../../api/gen/apiextensions.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { StorageVersionMigration } from '../../../api/gen/storagemigration.k8s.io/v1alpha1.ts'
import type { Client } from '../../client/index.ts'
import { type ControllerContext, isConflict } from '../../controller/index.ts'
import { type Frozen, StatusError } from '../../object/index.ts'
import { messageOf } from '../shared/messageof.ts'
import { definitionOf, resourceOf, Unservable } from './observe.ts'
import { begun, failed, holds, succeeded } from './plan.ts'
import { rewriteAll } from './rewrite.ts'

const { customresourcedefinitions } = resources.apiextensions.v1
type Migration = Frozen<StorageVersionMigration>

/** Performs the next step of a migration. Each state is written before the step that it announces. */
export async function step(
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
    return failed(migration, messageOf(error), clock.now())
  }
}

/** False for overload and lost connections, which are temporary. */
function isFinal(error: unknown): boolean {
  if (error instanceof Unservable) return true
  return error instanceof StatusError && error.code >= 400 && error.code < 500 && ![408, 409, 429].includes(error.code)
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
