/** Resource names without a domain that have a meaning; the lists say for which kinds. */

/** Resources that quotas count as objects. */
export const countedResources: ReadonlySet<string> = new Set([
  'pods', 'resourcequotas', 'services', 'replicationcontrollers', 'secrets', 'configmaps', 'persistentvolumeclaims',
  'services.nodeports', 'services.loadbalancers',
]) // biome-ignore format: a list of names

const quotaStandard: ReadonlySet<string> = new Set([
  'cpu', 'memory', 'ephemeral-storage', 'requests.cpu', 'requests.memory', 'requests.storage',
  'requests.ephemeral-storage', 'limits.cpu', 'limits.memory', 'limits.ephemeral-storage', ...countedResources,
]) // biome-ignore format: a list of names

/** May stand in a quota. */
export function isStandardQuotaResource(name: string): boolean {
  return quotaStandard.has(name) || isQuotaHugePages(name)
}

/** Known anywhere at all. */
export function isStandardResource(name: string): boolean {
  return quotaStandard.has(name) || name === 'storage' || isQuotaHugePages(name)
}

function isQuotaHugePages(name: string): boolean {
  return name.startsWith('hugepages-') || name.startsWith('requests.hugepages-')
}
