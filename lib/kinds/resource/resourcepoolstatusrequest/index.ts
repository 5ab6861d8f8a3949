import type * as resource from '../../../../api/gen/resource.k8s.io/v1alpha3.ts'
import type { ApiObject } from '../../../object/index.ts'
import type { Column, KindDefinition } from '../../definition.ts'
import { age, countColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'

type Status = resource.ResourcePoolStatusRequestStatus
type Pool = resource.PoolStatus

const specOf = (object: ApiObject): resource.ResourcePoolStatusRequestSpec =>
  object['spec'] as resource.ResourcePoolStatusRequestSpec
const statusOf = (object: ApiObject): Status | undefined => object['status'] as Status | undefined
const isTrue = (object: ApiObject, wanted: string): boolean =>
  statusOf(object)?.conditions?.some(({ type, status }) => type === wanted && status === 'True') ?? false

/** The sum over all pools; empty before there is an answer. */
function sumColumn(name: string, description: string, of: (pool: Pool) => number | undefined): Column {
  return textColumn(name, description, (object) => {
    const status = statusOf(object)
    if (!status || isTrue(object, 'Failed')) return '-'
    return String((status.pools ?? []).reduce((sum, pool) => sum + (of(pool) ?? 0), 0))
  })
}

function statusWord(object: ApiObject): string {
  if (isTrue(object, 'Failed')) return 'Failed'
  if (!isTrue(object, 'Complete')) return 'Pending'
  const { poolCount = 0, pools = [] } = statusOf(object) ?? {}
  return pools.length < poolCount ? `Complete (${pools.length}/${poolCount} pools)` : 'Complete'
}

export const resourcePoolStatusRequest: KindDefinition = {
  group: 'resource.k8s.io',
  kind: 'ResourcePoolStatusRequest',
  nameRule: nameRules.subdomain,
  isDeclared: true,
  defaults: {
    v1alpha3(object) {
      specOf(object).limit ??= 100
    },
  },
  strategy: specStrategy({ validate: () => [] }),
  subresources: { status: statusStrategy(undefined, { keepMetadata: true }) },
  columns: [
    nameColumn,
    textColumn('Driver', 'Driver of the pools.', (object) => specOf(object).driver),
    sumColumn('Total', 'Devices.', ({ totalDevices }) => totalDevices),
    sumColumn('Available', 'Devices that can be allocated.', ({ availableDevices }) => availableDevices),
    sumColumn('Allocated', 'Devices that are allocated.', ({ allocatedDevices }) => allocatedDevices),
    sumColumn('Unavailable', 'Devices that cannot be allocated.', ({ unavailableDevices }) => unavailableDevices),
    sumColumn('Errors', 'Pools that cannot be counted.', ({ validationError }) => (validationError ? 1 : 0)),
    countColumn('Pools', 'Pools that match.', (object) => statusOf(object)?.poolCount),
    textColumn('Status', 'Whether there is an answer.', statusWord),
    textColumn('Completed', 'Time since the answer.', (object, { nowMs }) => {
      const complete = statusOf(object)?.conditions?.find(({ type }) => type === 'Complete')
      return complete ? age(complete.lastTransitionTime, nowMs) : '<none>'
    }),
  ],
}
