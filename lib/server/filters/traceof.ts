import { formatDuration } from '../../object/index.ts'
import type { ServerCall } from '../call.ts'

/** By verb, as the stock server names them. */
const names: Readonly<Record<string, string>> = { deletecollection: 'Delete' }

/**
 * The steps of a slow call with their times, in the lines that the stock server writes: `Trace[ID]: "Get" accept:…,verb:GET (26-Nov-2026
 * 10:00:00.000) (total time: 612ms):`, then a line for each step with the time since the one before, then the end.
 */
export function traceOf(call: ServerCall, tookMs: number, id: number): readonly string[] {
  const prefix = `Trace[${id}]:`
  const start = new Date(call.receivedAtMs)
  const total = formatDuration(BigInt(Math.round(tookMs * 1e6)))
  let sinceMs = call.startedMs
  const steps = stepsOf(call, tookMs).map(({ name, atMs, about }) => {
    const stepMs = Math.max(0, atMs - sinceMs)
    sinceMs = Math.max(sinceMs, atMs)
    const time = new Date(call.receivedAtMs + atMs - call.startedMs).toISOString().slice(11, 23)
    return `${prefix} ---${JSON.stringify(name)} ${about ? `${fields(about)} ` : ''}${Math.trunc(stepMs)}ms (${time})`
  })
  return [
    `${prefix} ${JSON.stringify(nameOf(call))} ${fields(fieldsOf(call))} (${dateTime(start)}) (total time: ${Math.trunc(tookMs)}ms):`,
    ...steps,
    `${prefix} [${total}] [${total}] END`,
  ]
}

/** The filters that may wait, then what the handler came to, then the end. */
function stepsOf(call: ServerCall, tookMs: number): { name: string; atMs: number; about?: object | undefined }[] {
  const waits = [
    { name: 'Authentication done', atMs: call.authenticatedMs },
    { name: 'Priority and fairness granted seats', atMs: call.seatedMs },
    { name: 'Authorization done', atMs: call.authorizedMs },
  ].filter(({ atMs }) => atMs > 0)
  const end = { name: 'Writing http response done', atMs: call.startedMs + tookMs }
  return [...waits, ...(call.steps ?? []), end]
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
    code: String(call.transport.status),
  }
}

function fields(all: object): string {
  return Object.entries(all)
    .map(([name, value]) => `${name}:${value}`)
    .join(',')
}

/** `26-Nov-2026 10:00:00.000`, in UTC. */
function dateTime(at: Date): string {
  const [, day, month, year] = at.toUTCString().split(' ')
  return `${day}-${month}-${year} ${at.toISOString().slice(11, 23)}`
}
