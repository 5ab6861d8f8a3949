import type * as v1 from '../../api/gen/apiregistration.k8s.io/v1.ts'
import type { ApiObject, GroupVersion } from '../object/index.ts'

export type ApiService = v1.APIService & ApiObject

export const apiServicesResource = { group: 'apiregistration.k8s.io', resource: 'apiservices' }

/** Why an object of this server's own group versions exists; absent: a user created it. */
export const automanagedLabel = 'kube-aggregator.kubernetes.io/automanaged'

/** The result of an availability check, in the form of the condition Available. */
export interface Availability {
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

export const asApiService = (object: ApiObject): ApiService => object as ApiService

export function specOf({ spec }: ApiService): v1.APIServiceSpec {
  return spec ?? { groupPriorityMinimum: 0, versionPriority: 0 }
}

export function groupVersionOf(service: ApiService): GroupVersion {
  const { group = '', version = '' } = specOf(service)
  return { group, version }
}

export const serviceName = ({ group, version }: GroupVersion): string => `${version}.${group}`

/** Path of the group version at a backend: `/apis/{group}/{version}`. */
export function pathOf({ group, version }: GroupVersion): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`
}

export function isAvailable({ status }: ApiService): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Available' && value === 'True') ?? false
}

/** The status with the condition; undefined: the condition is unchanged. `now` is a time of the API. */
export function withAvailability(
  service: ApiService,
  { status, reason, message }: Availability,
  now: string,
): v1.APIServiceStatus | undefined {
  const conditions = service.status?.conditions ?? []
  const before = conditions.find(({ type }) => type === 'Available')
  if (before?.status === status && before.reason === reason && before.message === message) return undefined
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : now
  const condition = { type: 'Available', status, reason, message, ...(lastTransitionTime && { lastTransitionTime }) }
  return { ...service.status, conditions: [...conditions.filter(({ type }) => type !== 'Available'), condition] }
}
