import { formatDuration } from '../object/index.ts'
import type { ServerCall } from './call.ts'
import type { CallTimings, TimedStep } from './timings.ts'

/** Verbs that the stock server's traces name differently. */
const names: Readonly<Record<string, string>> = { deletecollection: 'Delete' }

/**
 * The log lines of a slow call, in the stock server's format: `Trace[ID]: "Get" accept:…,verb:GET (26-Nov-2026
 * 10:00:00.000) (total time: 612ms):`, a line for each step with the time since the step before, and an end.
 */
export function slowTrace(call: ServerCall, tookMs: number, id: number): readonly string[] {
  const { receivedAtMs, startedMs } = call.timings
  const prefix = `Trace[${id}]:`
  const start = new Date(receivedAtMs)
  const total = formatDuration(BigInt(Math.round(tookMs * 1e6)))
  let sinceMs = startedMs
  const steps = stepsOf(call.timings, tookMs).map(({ name, atMs, fields }) => {
    const stepMs = Math.max(0, atMs - sinceMs)
    sinceMs = Math.max(sinceMs, atMs)
    const time = new Date(receivedAtMs + atMs - startedMs).toISOString().slice(11, 23)
    return `${prefix} ---${JSON.stringify(name)} ${fields ? `${textOf(fields)} ` : ''}${Math.trunc(stepMs)}ms (${time})`
  })
  return [
    `${prefix} ${JSON.stringify(nameOf(call))} ${textOf(fieldsOf(call))} (${dateTime(start)}) (total time: ${Math.trunc(tookMs)}ms):`,
    ...steps,
    `${prefix} [${total}] [${total}] END`,
  ]
}

/** The filters that may wait, the handler's steps, the end. */
function stepsOf(timings: CallTimings, tookMs: number): TimedStep[] {
  const waits = [
    { name: 'Authentication done', atMs: timings.authenticatedMs },
    { name: 'Priority and fairness granted seats', atMs: timings.seatedMs },
    { name: 'Authorization done', atMs: timings.authorizedMs },
  ].filter(({ atMs }) => atMs > 0)
  const end = { name: 'Writing http response done', atMs: timings.startedMs + tookMs }
  return [...waits, ...timings.steps, end]
}

function nameOf({ info, method }: ServerCall): string {
  if (!info.isResource) return method
  const { verb } = info
  return (Object.hasOwn(names, verb) ? names[verb] : undefined) ?? verb.charAt(0).toUpperCase() + verb.slice(1)
}

function fieldsOf(call: ServerCall): Record<string, string> {
  const { info, headers } = call
  const { group, version, name, subresource, namespace, resource } = info
  const scope = name !== '' ? 'resource' : namespace !== '' ? 'namespace' : 'cluster'
  const ofResource = { 'api-group': group, 'api-version': version, name, subresource, namespace }
  return {
    accept: headers['accept'] ?? '',
    'audit-id': call.auditId,
    client: call.remoteAddress,
    ...(info.isResource && ofResource),
    protocol: call.httpVersion === '2' ? 'HTTP/2.0' : 'HTTP/1.1',
    ...(info.isResource && { resource, scope }),
    url: call.url,
    'user-agent': headers['user-agent'] ?? '',
    verb: call.method,
    code: String(call.responder.status),
  }
}

function textOf(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}:${value}`)
    .join(',')
}

/** `26-Nov-2026 10:00:00.000`, in UTC. */
function dateTime(at: Date): string {
  const [, day, month, year] = at.toUTCString().split(' ')
  return `${day}-${month}-${year} ${at.toISOString().slice(11, 23)}`
}
