import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, isNotFound, keyOf } from '../../controller/index.ts'
import { step } from './perform.ts'
import { isDone, isFirst, resourceKeyOf } from './plan.ts'

const { storageversionmigrations } = resources.storagemigration.v1alpha1

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
