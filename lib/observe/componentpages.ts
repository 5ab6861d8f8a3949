import type { Clock, Random } from '../base/index.ts'
import { encodeYaml } from '../codec/index.ts'
import type { VersionInfo } from '../features/index.ts'
import { statusErrors } from '../object/index.ts'
import { parseAccept } from '../request/index.ts'
import { redactText } from './redact.ts'

/** The component that /statusz and /flagz describe. */
export interface ComponentFacts {
  /** `apiserver`, `kube-controller-manager`. */
  readonly component: string
  readonly version: VersionInfo
  /** Unix time at which the process began to serve. */
  readonly startedMs: number
  /** The pages that this component serves. */
  readonly paths: readonly string[]
  /** Names and values of all flags, as written on a command line. */
  readonly flags: Readonly<Record<string, string>>
}

export interface ComponentPage {
  readonly contentType: string
  readonly body: Uint8Array
  /** The text of a Warning header. */
  readonly warning?: string
}

interface Services {
  readonly clock: Clock
  readonly random: Random
}

type PageKind = 'Statusz' | 'Flagz'

const group = 'config.k8s.io'
const refusal = 'only the following media types are accepted: application/json, application/yaml, text/plain'
const caution =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.'
/** Chosen at random for each answer, so that no program comes to rely on it. */
const delimiters = [':', ': ', '=', ' ']

/** GET /statusz. Throws StatusError for an Accept header without a format of the page. */
export function statuszPage(facts: ComponentFacts, accept: string | undefined, services: Services): ComponentPage {
  const uptimeMs = Math.max(0, services.clock.now() - facts.startedMs)
  const uptimeSeconds = Math.floor(uptimeMs / 1000)
  const { version, startedMs } = facts
  const binaryVersion = version.gitVersion.replace(/^v/, '')
  const emulationVersion = `${version.emulationMajor}.${version.emulationMinor}`
  const paths = [...facts.paths].sort()
  return answer('Statusz', facts.component, accept, {
    fields: () => ({
      startTime: new Date(startedMs).toISOString().replace(/\.\d+Z$/, 'Z'),
      uptimeSeconds,
      goVersion: version.goVersion,
      binaryVersion,
      emulationVersion,
      paths,
    }),
    lines: () => {
      const delimiter = `${drawDelimiter(services.random)} `
      return [
        ['Started', unixDate(startedMs)],
        ['Up', uptimeText(uptimeSeconds)],
        ['Go version', version.goVersion],
        ['Binary version', binaryVersion],
        ['Emulation version', emulationVersion],
        ['Paths', paths.join(' ')],
      ].map((pair) => pair.join(delimiter))
    },
  })
}

/** GET /flagz: all flags with their values, credentials hidden. Throws StatusError as statuszPage does. */
export function flagzPage(facts: ComponentFacts, accept: string | undefined, services: Services): ComponentPage {
  const flags = Object.entries(facts.flags)
    .map(([name, value]) => [name, withoutCredentials(value)] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1))
  return answer('Flagz', facts.component, accept, {
    fields: () => ({ flags: Object.fromEntries(flags) }),
    lines: () => {
      const delimiter = drawDelimiter(services.random)
      return flags.map((pair) => pair.join(delimiter))
    },
  })
}

interface Contents {
  fields(): object
  lines(): string[]
}

function answer(kind: PageKind, component: string, accept: string | undefined, contents: Contents): ComponentPage {
  const form = negotiate(kind, accept)
  if (form === 'text') {
    const lines = ['', `${component} ${kind.toLowerCase()}`, caution, '', ...contents.lines(), '']
    return { contentType: 'text/plain; charset=utf-8', body: Buffer.from(lines.join('\n')) }
  }
  const { mediaType, version } = form
  const document = {
    kind,
    apiVersion: `${group}/${version}`,
    metadata: { name: component },
    ...contents.fields(),
  }
  return {
    contentType: `${mediaType};g=${group};v=${version};as=${kind}`,
    body: mediaType === 'application/json' ? Buffer.from(JSON.stringify(document)) : encodeYaml(document),
    warning:
      version === 'v1alpha1'
        ? `This version of the ${kind.toLowerCase()} endpoint is deprecated. Please use a newer version.`
        : undefined,
  }
}

type PageForm = 'text' | { mediaType: 'application/json' | 'application/yaml'; version: 'v1beta1' | 'v1alpha1' }

function negotiate(kind: PageKind, accept: string | undefined): PageForm {
  if (accept === undefined || accept.trim() === '') return 'text'
  for (const { type, parameters } of parseAccept(accept)) {
    if (type === '*/*' || type === 'text/*' || type === 'text/plain') return 'text'
    if (type !== 'application/json' && type !== 'application/yaml') continue
    const { v, g, as } = parameters
    if (g === group && as === kind && (v === 'v1beta1' || v === 'v1alpha1')) return { mediaType: type, version: v }
  }
  throw statusErrors.notAcceptable(refusal)
}

function drawDelimiter(random: Random): string {
  return delimiters[random.below(delimiters.length)] ?? ':'
}

/** `Mon Nov 23 01:21:25 UTC 2026`; a day of one digit is padded to two characters. */
function unixDate(ms: number): string {
  const [weekday = '', day = '', month = '', year = '', time = ''] = new Date(ms).toUTCString().split(/[ ,]+/)
  return `${weekday} ${month} ${day.replace(/^0/, ' ')} ${time} UTC ${year}`
}

function uptimeText(seconds: number): string {
  return `${Math.floor(seconds / 3600)} hr ${Math.floor(seconds / 60) % 60} min ${seconds % 60} sec`
}

/** Flags name files rather than contain secrets, but URLs may contain a user and a password. */
function withoutCredentials(value: string): string {
  return redactText(value).replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^/\s,@]*@/gi, '$1[redacted]@')
}
