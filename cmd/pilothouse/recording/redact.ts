// Hides secrets in what is recorded. A second reader should find nothing to use, and a replay still something to send.
import { isRecord } from '../../../lib/base/index.ts'

const hidden = 'redacted'

/** Names of fields and variables with secrets as texts; not references to objects or files with them. */
const secretName =
  /(token|passw(or)?d|passphrase|secret|credential|private.?key|client.?key|api.?key|cookie|bearer|auth)/i
const referenceName =
  /(name|names|namespace|ref|refs|path|kind|type|class|mode|version|id|policy|group|groups|issuer|audience|audiences|url|uri|mechanism|provider)$/i

/**
 * Texts that are secrets wherever they are, with what stays of them. A run of letters is read once: each pattern begins
 * where a word does, so that a long text without spaces takes no time that grows with its square.
 */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, hidden],
  // The base64 of "-----BEGIN …", as kubeconfigs have keys; certificates begin so, too.
  [/\bLS0tLS1CRUdJTi[\w+/=]+/g, hidden],
  [/(?<![\w-])ey[\w-]{8,}\.[\w-]{2,}\.[\w-]*/g, hidden],
  [/\b(bearer|basic)\s+[\w.~+/=-]{4,}/gi, `$1 ${hidden}`],
  [/(:\/\/[^\s/:@]*):[^\s/@]+@/g, `$1:${hidden}@`],
  [/((?<![\w-])--[\w-]*(?:token|passw(?:or)?d|secret|key)\s+)(\S+)/gi, `$1${hidden}`],
]

/** A text without what looks like a secret. */
export function redactText(text: string): string {
  return redactAssignments(secretTexts.reduce((shown, [pattern, instead]) => shown.replace(pattern, instead), text))
}

/** A name and what follows it in `--token=x`, `token: x`, `"password":"x"`, `DB_PASSWORD=x`. */
const assignment = /(?<![\w.-])([\w.-]+)["']?\s*[:=]\s*["']?(?!\s)/g
const assignedSecret =
  /token|passw(?:or)?d|passphrase|secret|credential|private[_-]?key|client-key-data|api[_-]?key|cookie/i
const assignedValue = /[^\s"',;&]+/y

/** One pass: a value that is hidden is skipped, any other may contain assignments itself. */
function redactAssignments(text: string): string {
  let shown = ''
  let from = 0
  for (const found of text.matchAll(assignment)) {
    const { 0: matched, 1: name = '', index } = found
    if (index < from || !assignedSecret.test(name)) continue
    const start = index + matched.length
    assignedValue.lastIndex = start
    if (!assignedValue.test(text)) continue
    shown += `${text.slice(from, start)}${hidden}`
    from = assignedValue.lastIndex
  }
  return shown + text.slice(from)
}

/** A query string; the values of parameters with the name of a secret are hidden. */
export function redactQuery(query: string): string {
  if (query === '') return ''
  const parts = query.split('&').map((part) => {
    const [name = '', ...value] = part.split('=')
    const given = value.join('=')
    const text = decoded(given)
    // Nothing can be said about a value that can't be decoded.
    if (text === undefined || isSecretName(name)) return `${name}=${hidden}`
    const shown = redactText(text)
    return shown === text ? part : `${name}=${encodeURIComponent(shown)}`
  })
  return parts.join('&')
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** `isSecret`: the path of the request is of a Secret, so that the body of a patch belongs to one. */
export function redactObject(value: unknown, isSecret = false): unknown {
  if (typeof value === 'string') return redactText(value)
  if (Array.isArray(value)) return redactList(value, isSecret)
  if (!isRecord(value)) return value
  const { kind } = value
  if (kind === 'SecretList' && Array.isArray(value['items']))
    return { ...redactMembers(value), items: value['items'].map((item) => redactObject(item, true)) }
  if (kind === 'Secret' || (isSecret && (kind === undefined || typeof kind !== 'string'))) return redactSecret(value)
  return redactMembers(value)
}

function redactList(values: readonly unknown[], isSecret: boolean): unknown[] {
  return values.map((value) =>
    isRecord(value) && isOperation(value) ? redactOperation(value, isSecret) : redactObject(value, isSecret),
  )
}

/** An operation of a JSON patch. */
function isOperation({ op, path }: Readonly<Record<string, unknown>>): boolean {
  return typeof op === 'string' && typeof path === 'string'
}

function redactOperation(operation: Readonly<Record<string, unknown>>, isSecret: boolean): Record<string, unknown> {
  if (!('value' in operation)) return { ...operation }
  const { value } = operation
  const path = String(operation['path'])
  const field = path.slice(path.lastIndexOf('/') + 1).replaceAll('~1', '/')
  if (isSecret && /^\/(data|stringData)(\/|$)/.test(path)) return { ...operation, value: hiddenValue(value) }
  if (isSecret && path === '') return { ...operation, value: redactObject(value, true) }
  // As if it were the member of an object.
  return { ...operation, value: redactMembers({ [field]: value })[field] }
}

function redactMembers(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named = typeof value['name'] === 'string' && isSecretName(value['name']) ? 'value' : undefined
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const hides = typeof member === 'string' && (name === named || isSecretName(name))
      if (name === lastApplied && typeof member === 'string') return [name, redactApplied(member)]
      return [name, hides ? hidden : redactObject(member)]
    }),
  )
}

/** kubectl's copy of the object that was applied. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

function redactApplied(text: string): string {
  try {
    // The server writes the same text with a line end, and compares.
    return JSON.stringify(redactObject(JSON.parse(text))) + (text.endsWith('\n') ? '\n' : '')
  } catch {
    return hidden
  }
}

function isSecretName(name: string): boolean {
  return secretName.test(name) && !referenceName.test(name)
}

function redactSecret(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const hide = (name: string): object => {
    const members = value[name]
    if (!isRecord(members)) return name in value ? { [name]: hiddenValue(members) } : {}
    return {
      [name]: Object.fromEntries(Object.entries(members).map(([key, old]) => [key, hiddenMember(name, key, old)])),
    }
  }
  return { ...redactMembers(value), ...hide('data'), ...hide('stringData') }
}

/** A value that the server accepts: base64 in data, JSON where the type of Secret wants it. */
function hiddenMember(field: string, key: string, old: unknown): unknown {
  if (typeof old !== 'string') return hiddenValue(old)
  const text = key.startsWith('.dockerc') ? '{"auths":{}}' : hidden
  return field === 'data' ? Buffer.from(text).toString('base64') : text
}

/** The same shape without its texts. */
function hiddenValue(value: unknown): unknown {
  if (typeof value === 'string') return Buffer.from(hidden).toString('base64')
  if (Array.isArray(value)) return value.map(hiddenValue)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hiddenValue(member)]))
}
