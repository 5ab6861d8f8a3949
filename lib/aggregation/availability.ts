import type * as core from '../../api/gen/core/v1.ts'
import type * as discovery from '../../api/gen/discovery.k8s.io/v1.ts'
import { type Clock, networkErrorText } from '../base/index.ts'
import { hostPort } from '../client/index.ts'
import { quote } from '../object/index.ts'
import { type Backend, userHeaders } from '../proxy/index.ts'
import { type ApiService, type Availability, groupVersionOf, pathOf, specOf } from './apiservice.ts'
import { aggregatorUser } from './users.ts'

/** Number of concurrent requests; one good answer is enough. */
const probes = 5
const probeTimeoutMs = 5_000
const answerBytesMax = 4 * 1024 * 1024
const portDefault = 443

/** Objects that determine whether a backend is reachable at all. */
export interface BackendObjects {
  readonly service: core.Service | undefined
  /** The service's endpoints. */
  readonly slices: readonly discovery.EndpointSlice[]
}

/** The result from the service and its endpoints; undefined: the backend itself can be asked. */
export function checkObjects(apiService: ApiService, { service, slices }: BackendObjects): Availability | undefined {
  const { service: reference } = specOf(apiService)
  if (!reference) return { status: 'True', reason: 'Local', message: 'Local APIServices are always available' }
  const { namespace = '', name = '', port = portDefault } = reference
  const about = `service/${name} in ${quote(namespace)}`
  if (!service) return unavailable('ServiceNotFound', `${about} is not present`)
  const { type = 'ClusterIP', ports = [] } = service.spec ?? {}
  if (type !== 'ClusterIP') return undefined
  const known = ports.find((one) => one.port === port)
  if (!known) return unavailable('ServicePortError', `${about} is not listening on port ${port}`)
  if (slices.length === 0) return unavailable('EndpointsNotFound', `cannot find endpoints for ${about}`)
  const portName = known.name ?? ''
  const hasAddress = slices.some(
    (slice) =>
      slice.ports?.some((one) => (one.name ?? '') === portName && one.port !== undefined) === true &&
      slice.endpoints?.some(({ addresses = [], conditions }) => conditions?.ready !== false && addresses.length > 0),
  )
  if (hasAddress) return undefined
  const message = `endpoints for ${about} have no addresses with port name ${quote(portName)}`
  return unavailable('MissingEndpoints', message)
}

const passed: Availability = { status: 'True', reason: 'Passed', message: 'all checks passed' }

function unavailable(reason: string, message: string): Availability {
  return { status: 'False', reason, message }
}

/** Requests the group version from the backend. Never rejects. */
export async function probe(
  apiService: ApiService,
  backend: Backend,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<Availability> {
  const path = pathOf(groupVersionOf(apiService))
  const { service } = specOf(apiService)
  const about = `service/${service?.name ?? ''} in ${quote(service?.namespace ?? '')}`
  let url: string
  try {
    url = `https://${hostPort(await backend.address())}${path}`
  } catch (error) {
    return {
      status: 'Unknown',
      reason: 'ServiceAccessError',
      message: `${about} cannot be checked due to: ${networkErrorText(error)}`,
    }
  }
  const limit = new AbortController()
  const timer = clock.after(probeTimeoutMs, () => limit.abort(new Error(`timed out waiting for ${url}`)))
  const ended = new AbortController()
  const any = AbortSignal.any([signal, limit.signal, ended.signal])
  try {
    await Promise.any(Array.from({ length: probes }, () => askOnce(backend, path, url, any)))
    return passed
  } catch (error) {
    const [first] = error instanceof AggregateError ? error.errors : [error]
    const why = limit.signal.aborted ? limit.signal.reason : first
    return unavailable('FailedDiscoveryCheck', `failing or missing response from ${url}: ${networkErrorText(why)}`)
  } finally {
    void timer.close()
    ended.abort(new Error('another answer was first'))
  }
}

async function askOnce(backend: Backend, path: string, url: string, signal: AbortSignal): Promise<void> {
  const { status } = await backend.get(path, userHeaders(aggregatorUser), { bytesMax: answerBytesMax, signal })
  if (status < 200 || status >= 300) throw new Error(`bad status from ${url}: ${status}`)
}
