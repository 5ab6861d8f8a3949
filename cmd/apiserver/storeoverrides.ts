import type { GroupResource } from '../../lib/object/index.ts'
import type { ApiserverFlags } from './flags.ts'

/** The resources of one set of etcd servers. */
interface ServersOverride {
  readonly resources: readonly GroupResource[]
  readonly servers: readonly string[]
}

/** The first problem in the addresses of etcd's servers; undefined when there is none. */
export function serversProblem(servers: readonly string[]): string | undefined {
  // Addresses are in metrics and errors; etcd knows its users by their certificates.
  if (servers.some((server) => /^https?:\/\/[^/\s]*@/.test(server))) return 'an address holds no user and password'
  const wrong = servers.find((server) => !/^https?:\/\/[^/\s]+\/?$|^unixs?:\/\/[^\s]*[^/\s]$/.test(server))
  return wrong === undefined ? undefined : `"${wrong}" is not of the form https://host:port or unix://path`
}

/** The first problem in --etcd-servers-overrides; undefined when there is none. */
export function storeOverridesProblem(values: ApiserverFlags): string | undefined {
  const flag = '--etcd-servers-overrides'
  const overrides = values['etcd-servers-overrides']
  if (overrides.length > 0 && values['etcd-servers'].length === 0) return `${flag} needs --etcd-servers`
  for (const override of overrides) {
    const [resource, servers, ...more] = override.split('#')
    if (more.length > 0 || servers === undefined || resource?.split('/').length !== 2)
      return `${flag} invalid, must be of format: group/resource#servers, where servers are URLs, semicolon separated`
    const problem = serversProblem(servers.split(';'))
    if (problem !== undefined) return `${flag}: ${problem}`
  }
  return undefined
}

/** Merges overrides that name the same servers. The values have passed `storeOverridesProblem`. */
export function parseStoreOverrides(overrides: readonly string[]): ServersOverride[] {
  const byServers = Map.groupBy(overrides, (override) => override.slice(override.indexOf('#') + 1))
  return Array.from(byServers, ([servers, each]) => ({
    servers: servers.split(';'),
    resources: each.map((override) => {
      const [group = '', resource = ''] = override.slice(0, override.indexOf('#')).split('/')
      return { group, resource }
    }),
  }))
}
