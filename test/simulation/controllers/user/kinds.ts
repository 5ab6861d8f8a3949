import { resources } from '../../../../api/gen/resources.ts'
import type { ApiObject, ResourceType } from '../../../../lib/object/index.ts'

const { apps, autoscaling, batch, core, policy } = resources
/** Users treat objects of all kinds alike. */
const any = <T>(type: ResourceType<T & ApiObject>): ResourceType<ApiObject> => type as never

export const deployments = any(apps.v1.deployments)
export const replicasets = any(apps.v1.replicasets)
export const controllers = any(core.v1.replicationcontrollers)
export const statefulsets = any(apps.v1.statefulsets)
export const daemonsets = any(apps.v1.daemonsets)
export const jobs = any(batch.v1.jobs)
export const cronjobs = any(batch.v1.cronjobs)
export const budgets = any(policy.v1.poddisruptionbudgets)
export const configmaps = any(core.v1.configmaps)
export const services = any(core.v1.services)
export const quotas = any(core.v1.resourcequotas)
export const secrets = any(core.v1.secrets)
export const accounts = any(core.v1.serviceaccounts)
export const autoscalers = any(autoscaling.v2.horizontalpodautoscalers)
export const volumes = any(core.v1.persistentvolumes)
export const namespaces = any(core.v1.namespaces)
export const pods = any(core.v1.pods)
export const nodes = any(core.v1.nodes)
