import { formatGroupVersion } from '../object/index.ts'
import type { Call } from '../request/index.ts'
import type { Scheme } from '../scheme/index.ts'

/**
 * Warns the client of a resource that the server knows and does not serve: the answer itself is that of any unknown
 * resource, as clients match on it.
 */
export function warnUnserved({ info, warnings }: Call, scheme: Scheme): void {
  const { group, version, resource } = info
  const known = scheme.resources.find(
    ({ gvr }) => gvr.resource === resource && gvr.group === group && gvr.version === version,
  )
  if (!known || (group === '') !== (info.apiPrefix === 'api')) return
  const name = formatGroupVersion(known.gvr)
  const { gate, served } = known.table
  const needs = [
    ...(gate === undefined ? [] : [`--feature-gates=${gate}=true`]),
    ...(served === false ? [`--runtime-config=${name}/${resource}=true`] : []),
  ]
  const how = needs.length === 0 ? 'by its configuration or release' : `without ${needs.join(' and ')}`
  warnings.add(`this server does not serve ${resource} of ${name} ${how}`)
}
