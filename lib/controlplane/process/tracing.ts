import { readFile } from 'node:fs/promises'
import type * as v1 from '../../../api/gen/apiserver.config.k8s.io/v1.ts'
import type { Clock, Logger } from '../../base/index.ts'
import { quote, StatusError } from '../../object/index.ts'
import { openTracing, type Tracing, type TracingOptions } from '../../observe/index.ts'
import type { ApiserverConfig } from '../config.ts'
import { createConfigCodec } from '../configcodec.ts'
import { serverId } from '../peers/serverid.ts'
import { reasonOf, StartError } from './failure.ts'

/** --tracing-config-file. */
export interface TracingConfig {
  readonly file: string
}

const defaultEndpoint = 'localhost:4317'
const group = 'apiserver.config.k8s.io'
/** Versions of the file; their fields are the same. */
const versionInText = /apiVersion["']?\s*:\s*["']?apiserver\.config\.k8s\.io\/(v1|v1beta1|v1alpha1)\b/
const schemes = ['dns', 'unix', 'unix-abstract']

/** Undefined without a file. Rejects with StartError, whose message is the stock server's line. */
export async function openConfiguredTracing(
  { tracing, hostName }: Pick<ApiserverConfig, 'tracing' | 'hostName'>,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Promise<Tracing | undefined> {
  if (!tracing) return undefined
  try {
    const settings = readSettings(await textOf(tracing.file))
    return await openTracing(
      { clock, log: log.named('tracing') },
      { ...settings, serviceName: 'apiserver', instanceId: serverId(hostName) },
    )
  } catch (error) {
    throw new StartError(`--tracing-config-file: ${reasonOf(error)}`, { cause: error })
  }
}

async function textOf(file: string): Promise<string> {
  let text
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')
      throw new Error(`tracing-config-file ${file} does not exist`, { cause })
    throw new Error(
      `failed to read tracing config: unable to read tracing configuration from ${quote(file)}: ${reasonOf(cause)}`,
      { cause },
    )
  }
  if (text === '') throw new Error('tracing config file was empty')
  return text
}

type Settings = Pick<TracingOptions, 'endpoint' | 'samplingRatePerMillion'>

function readSettings(text: string): Settings {
  const { endpoint = defaultEndpoint, samplingRatePerMillion = 0 } = decode(text)
  const problems = [...samplingProblems(samplingRatePerMillion), ...endpointProblems(endpoint)]
  if (problems.length > 0) {
    const said = problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`
    throw new Error(`failed to validate tracing configuration: ${said}`)
  }
  return { endpoint: endpoint === '' ? defaultEndpoint : endpoint, samplingRatePerMillion }
}

function decode(text: string): v1.TracingConfiguration {
  try {
    const { object } = createConfigCodec().decodeObject(Buffer.from(text), {
      mediaType: 'application/yaml',
      expected: { group, version: versionInText.exec(text)?.[1] ?? 'v1', kind: 'TracingConfiguration' },
      fieldValidation: 'Strict',
    })
    // The kind's type describes the decoded object.
    return object as v1.TracingConfiguration
  } catch (cause) {
    const why = cause instanceof StatusError ? cause.message : reasonOf(cause)
    throw new Error(
      `failed to read tracing config: unable to decode tracing configuration data: ${why.replaceAll('\n', ' ')}`,
      { cause },
    )
  }
}

function samplingProblems(rate: number): string[] {
  const invalid = (why: string): string => `samplingRatePerMillion: Invalid value: ${rate}: ${why}`
  if (rate < 0) return [invalid('sampling rate must be positive')]
  if (rate > 1_000_000) return [invalid('sampling rate per million must be less than or equal to one million')]
  return []
}

function endpointProblems(endpoint: string): string[] {
  const invalid = (why: string): string[] => [`endpoint: Invalid value: ${quote(endpoint)}: ${why}`]
  const full = endpoint.includes('//') ? endpoint : `dns://${endpoint}`
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(full)?.[1]?.toLowerCase() ?? ''
  if (scheme !== '' && !schemes.includes(scheme))
    return invalid(
      `unsupported scheme: ${scheme}.  Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md`,
    )
  const [authority = ''] = full.slice(full.indexOf('//') + 2).split('/')
  const [, port] = /:([^:\]]*)$/.exec(authority) ?? []
  if (port !== undefined && !/^\d*$/.test(port))
    return invalid(`parse ${quote(full)}: invalid port ${quote(`:${port}`)} after host`)
  return []
}
