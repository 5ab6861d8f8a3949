import { type ApiObject, statusErrors } from '../../object/index.ts'
import { isTrue, type QueryParameters } from '../../request/index.ts'
import { optionsObject } from './object.ts'

/** The streams of a command or a terminal that a client requests. */
export interface WantedStreams {
  readonly stdin: boolean
  readonly stdout: boolean
  readonly stderr: boolean
  readonly tty: boolean
}

/** The options of a connection. */
export interface ConnectOptions {
  /** The object for admission: PodExecOptions and the like. */
  readonly object: ApiObject
  /** For the kubelet. */
  readonly parameters: URLSearchParams
  /** '' when the pod has only one; undefined: the connection belongs to the whole pod. */
  readonly container: string | undefined
  readonly streams: WantedStreams | undefined
}

export function parseExecOptions(query: QueryParameters): ConnectOptions {
  const command = query.getAll('command')
  const options = parseAttachOptions(query)
  for (const word of command) options.parameters.append('command', word)
  options.parameters.sort()
  return { ...options, object: optionsObject('PodExecOptions', { ...fieldsOf(query), command }) }
}

export function parseAttachOptions(query: QueryParameters): ConnectOptions {
  const streams = streamsOf(query)
  const parameters = new URLSearchParams()
  const names = { stdin: 'input', stdout: 'output', stderr: 'error', tty: 'tty' } as const
  for (const stream of ['stdin', 'stdout', 'stderr', 'tty'] as const)
    if (streams[stream]) parameters.set(names[stream], '1')
  parameters.sort()
  const container = query.get('container') ?? ''
  return { object: optionsObject('PodAttachOptions', fieldsOf(query)), parameters, container, streams }
}

/** Throws 400 for an invalid port. */
export function parsePortForwardOptions(query: QueryParameters): ConnectOptions {
  const ports = query.getAll('ports').flatMap((text) => text.split(',').map(portOf))
  const parameters = new URLSearchParams()
  if (ports.length > 0) parameters.set('port', ports.join(','))
  const object = optionsObject('PodPortForwardOptions', ports.length === 0 ? {} : { ports })
  return { object, parameters, container: undefined, streams: undefined }
}

function portOf(text: string): number {
  const why = !/^\d+$/.test(text) ? 'invalid syntax' : Number(text) > 65_535 ? 'value out of range' : undefined
  if (why === undefined) return Number(text)
  throw statusErrors.badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${why}`)
}

function streamsOf(query: QueryParameters): WantedStreams {
  const wants = (name: string): boolean => isTrue(query.get(name))
  return { stdin: wants('stdin'), stdout: wants('stdout'), stderr: wants('stderr'), tty: wants('tty') }
}

function fieldsOf(query: QueryParameters): object {
  const container = query.get('container') ?? ''
  const wanted = Object.entries(streamsOf(query)).filter(([, isWanted]) => isWanted)
  return { ...Object.fromEntries(wanted), ...(container === '' ? {} : { container }) }
}
