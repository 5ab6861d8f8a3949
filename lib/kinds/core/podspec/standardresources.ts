/** Resource names without a domain that have a meaning; each list is for certain kinds. */

/** Resources that quotas count as objects. */
export const countedResources: ReadonlySet<string> = new Set([
  'pods', 'resourcequotas', 'services', 'replicationcontrollers', 'secrets', 'configmaps', 'persistentvolumeclaims',
  'services.nodeports', 'services.loadbalancers',
]) // biome-ignore format: a list of names

const quotaStandard: ReadonlySet<string> = new Set([
  'cpu', 'memory', 'ephemeral-storage', 'requests.cpu', 'requests.memory', 'requests.storage',
  'requests.ephemeral-storage', 'limits.cpu', 'limits.memory', 'limits.ephemeral-storage', ...countedResources,
]) // biome-ignore format: a list of names

/** Whether a quota may have the resource. */
export function isStandardQuotaResource(name: string): boolean {
  return quotaStandard.has(name) || isQuotaHugePages(name)
}

/** Whether any kind may have the resource. */
export function isStandardResource(name: string): boolean {
  return quotaStandard.has(name) || name === 'storage' || isQuotaHugePages(name)
}

function isQuotaHugePages(name: string): boolean {
  return name.startsWith('hugepages-') || name.startsWith('requests.hugepages-')
}
