import type * as scheduling from '../../../../api/gen/scheduling.k8s.io/v1alpha2.ts'
import { type ApiObject, type FieldError, FieldPath, fieldErrors } from '../../../object/index.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'

const specOf = (object: ApiObject): scheduling.PodGroupSpec => object['spec'] as scheduling.PodGroupSpec
const statusOf = (object: ApiObject): scheduling.PodGroupStatus => (object['status'] ?? {}) as scheduling.PodGroupStatus

function statusWord(object: ApiObject): string {
  const { conditions = [] } = statusOf(object)
  const disrupted = conditions.find(({ type }) => type === 'DisruptionTarget')
  if (disrupted) return disrupted.reason
  const scheduled = conditions.find(({ type }) => type === 'PodGroupScheduled')
  if (!scheduled) return 'Pending'
  return scheduled.status === 'True' ? 'Scheduled' : 'Unschedulable'
}

/** The status may only have claims of the spec. */
function validateStatus(object: ApiObject): FieldError[] {
  const asked = new Set(specOf(object).resourceClaims?.map(({ name }) => name))
  const path = FieldPath.root('status').child('resourceClaimStatuses')
  return (statusOf(object).resourceClaimStatuses ?? []).flatMap(({ name }, index) => {
    const why = 'must match the name of an entry in `spec.resourceClaims`'
    return asked.has(name) ? [] : [fieldErrors.invalid(path.index(index).child('name'), name, why)]
  })
}

export const podGroup: KindDefinition = {
  group: 'scheduling.k8s.io',
  kind: 'PodGroup',
  nameRule: nameRules.subdomain,
  isDeclared: true,
  defaults: {
    v1alpha2(object, { gate }) {
      if (gate('WorkloadAwarePreemption')) specOf(object).disruptionMode ??= 'Pod'
    },
  },
  strategy: specStrategy({ validate: () => [] }),
  subresources: { status: statusStrategy(validateStatus, { keepMetadata: true }) },
  columns: [
    nameColumn,
    textColumn('Policy', 'How the pods are scheduled.', (object) =>
      specOf(object).schedulingPolicy.gang ? 'Gang' : 'Basic',
    ),
    textColumn(
      'Workload',
      'Workload that the group is of.',
      (object) => specOf(object).podGroupTemplateRef?.workload?.workloadName || '<none>',
    ),
    textColumn('Status', 'Whether the group is scheduled.', statusWord),
    ageColumn,
  ],
}
