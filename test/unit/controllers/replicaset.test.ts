import { resources } from '../../../api/gen/resources.ts'
import type { Lister } from '../../../lib/controller/index.ts'
import { readReplicaSet } from '../../../lib/controllers/replicaset/index.ts'
import { observe } from '../../../lib/controllers/shared/replicas/observe.ts'
import { type Failure, plan, statusAfter } from '../../../lib/controllers/shared/replicas/plan.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { runScripts } from '../../support/controllerscript.ts'

const name = ({ metadata }: { readonly metadata: { readonly name?: string | undefined } }): string =>
  metadata.name ?? ''

runScripts('replicaset', ({ key, nowMs, input, lister }) => {
  const owners = lister(resources.apps.v1.replicasets) as Lister<ApiObject>
  const seen = observe(
    { owners, pods: lister(resources.core.v1.pods) },
    key,
    readReplicaSet,
    input['reportsTerminating'] === true,
  )
  if (!seen) return undefined
  const { create, delete: deleted, againAfterMs } = plan(seen, nowMs)
  const { adopt, release } = seen.claim
  return {
    ...(adopt.length === 0 ? {} : { adopt: adopt.map(name) }),
    ...(release.length === 0 ? {} : { release: release.map(name) }),
    ...(create === 0 ? {} : { create }),
    ...(deleted.length === 0 ? {} : { delete: deleted.map(name) }),
    againAfterMs,
    status: statusAfter(seen, input['failure'] as Failure | undefined, nowMs),
  }
})
