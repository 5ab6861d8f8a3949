import { resources } from '../../../api/gen/resources.ts'
import { aggregatedRules } from '../../authz/index.ts'
import { type ControllerDefinition, isNotFound, keyOf } from '../../controller/index.ts'
import { deepEqual } from '../../object/index.ts'

/** Gives aggregated cluster roles the rules of the roles that they select. */
export const clusterroleaggregation: ControllerDefinition = {
  name: 'clusterrole-aggregation-controller',
  aliases: ['clusterrole-aggregation'],
  account: 'clusterrole-aggregation-controller',
  start(context) {
    const { clusterroles } = resources.rbac.v1
    const known = context.informer(clusterroles)
    const aggregating = new Set<string>()
    const queue = context.reconcile({
      name: 'ClusterRoleAggregator',
      workers: 5,
      async turn(name, { client }) {
        const role = known.get(name)
        const rules = role && aggregatedRules(role as Parameters<typeof aggregatedRules>[0], rolesNow())
        if (!role || !rules || deepEqual(rules, role.rules ?? [])) return
        const patch = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules }
        const options = { force: true, fieldManager: 'clusterrole-aggregation-controller' }
        try {
          if (role.metadata.deletionTimestamp === undefined)
            await client.resource(clusterroles).patch({ name }, 'apply', patch, options)
        } catch (error) {
          if (!isNotFound(error)) throw error
        }
      },
    })
    // The function only reads them.
    const rolesNow = () => known.all() as Parameters<typeof aggregatedRules>[1]
    known.subscribe(({ object, deleted }) => {
      const key = keyOf(object)
      if (!deleted && object.aggregationRule) aggregating.add(key)
      else aggregating.delete(key)
      for (const each of aggregating) queue.add(each)
    })
  },
}
