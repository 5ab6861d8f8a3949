import { fieldOf, isRecord } from './values.ts'

/** Names the certificate or token, and so differs between those of one user. */
const credentialId = 'authentication.kubernetes.io/credential-id'

/** Whether the server took a client certificate, and not a token; it takes one first. */
export function isOfCertificate(info: unknown): boolean {
  const ids = fieldOf(info, 'extra', credentialId)
  return Array.isArray(ids) && ids.some((id) => String(id).startsWith('X509SHA256='))
}

/** Whether both have the same rights by name, uid, groups and extra, as reviews report them, whatever they signed in with. */
export function isSameUser(a: unknown, b: unknown): boolean {
  return comparable(a) === comparable(b)
}

function comparable(info: unknown): string {
  const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String).sort() : [])
  const extra = fieldOf(info, 'extra')
  const extras = Object.entries(isRecord(extra) ? extra : {})
    .filter(([key]) => key !== credentialId)
    .map(([key, values]) => [key, list(values)])
    .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1))
  const [name, uid] = [fieldOf(info, 'username'), fieldOf(info, 'uid')]
  return JSON.stringify([name ?? '', uid ?? '', list(fieldOf(info, 'groups')), extras])
}
