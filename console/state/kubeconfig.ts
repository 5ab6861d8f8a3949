/** A context of a kubeconfig, as far as a browser can use it. */
export interface Context {
  readonly name: string
  /** Origin of the API server; '' where the address is none of https. */
  readonly server: string
  readonly user: string
  readonly token: string
  /** What its user signs in with instead of a token. */
  readonly instead: 'certificate' | 'program' | undefined
  readonly isCurrent: boolean
}

/** Contexts that are read of one file. */
const contextsMax = 100

/** The contexts of a parsed kubeconfig; the current one comes first. Undefined for another document. */
export function contextsOf(document: unknown): Context[] | undefined {
  if (!isRecord(document) || !Array.isArray(document['users'])) return undefined
  const clusters = named(document['clusters'], 'cluster')
  const users = named(document['users'], 'user')
  const contexts = [...named(document['contexts'], 'context')].slice(0, contextsMax).map(([name, context]) => {
    const user = users.get(text(context['user'])) ?? {}
    return {
      name,
      server: originOf(text(clusters.get(text(context['cluster']))?.['server'])),
      user: text(context['user']),
      token: text(user['token']),
      instead: insteadOfToken(user),
      isCurrent: name === document['current-context'],
    }
  })
  return contexts.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
}

function insteadOfToken(user: Record<string, unknown>): Context['instead'] {
  if (text(user['token']) !== '') return undefined
  if (user['client-certificate-data'] !== undefined || user['client-certificate'] !== undefined) return 'certificate'
  return user['exec'] === undefined && user['auth-provider'] === undefined ? undefined : 'program'
}

/** The entries of one of the file's lists by their names. */
function named(list: unknown, field: string): Map<string, Record<string, unknown>> {
  const entries = new Map<string, Record<string, unknown>>()
  for (const entry of Array.isArray(list) ? list : [])
    if (isRecord(entry) && isRecord(entry[field])) entries.set(text(entry['name']), entry[field])
  return entries
}

function originOf(server: string): string {
  const parsed = URL.parse(server)
  return parsed?.protocol === 'https:' ? parsed.origin : ''
}

/** Whether both origins are of one server: they are equal, or two names of this machine with one port. */
export function isSameServer(a: string, b: string): boolean {
  if (a === b) return true
  const [one, other] = [URL.parse(a), URL.parse(b)]
  return one !== null && other !== null && one.port === other.port && isLoopback(one) && isLoopback(other)
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
