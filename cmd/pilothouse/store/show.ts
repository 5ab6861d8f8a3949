import { encodeYaml } from '../../../lib/codec/index.ts'
import type { JsonValue, Revision } from '../../../lib/object/index.ts'
import { isSecret, redactSecret, type StoredEntry, type StoredObjects } from '../../../lib/storetools/index.ts'

/** A stored value in readable form: the object, or the reason why it can't be decoded. */
export interface Shown {
  readonly key: string
  readonly createRevision: Revision
  readonly revision: Revision
  readonly bytes: number
  /** `aescbc with the key key1`. */
  readonly encrypted?: string
  readonly object?: JsonValue
  readonly problem?: string
}

export async function show(
  objects: StoredObjects,
  entry: StoredEntry,
  options: { readonly showSecrets: boolean },
): Promise<Shown> {
  const { key, createRevision, modRevision: revision, value } = entry
  const shown = { key, createRevision, revision, bytes: value.length }
  const place = objects.locate(key)
  if (!place) return { ...shown, problem: 'the key is of an unknown resource' }
  const decoded = await objects.decode(entry, place)
  const { encryptedBy } = decoded
  const encrypted = encryptedBy && `${encryptedBy.provider} with the key ${encryptedBy.keyName}`
  const found = { ...shown, ...(encrypted === undefined ? {} : { encrypted }) }
  if (decoded.is === 'encrypted')
    return { ...found, problem: 'it is encrypted: give --encryption-provider-config to open it' }
  if (decoded.is !== 'object') return { ...found, problem: decoded.reason }
  return { ...found, object: isSecret(place) && !options.showSecrets ? redactSecret(decoded.object) : decoded.object }
}

export function asYaml({ key, createRevision, revision, bytes, encrypted, object, problem }: Shown): string {
  const how = encrypted === undefined ? '' : `, encrypted by ${encrypted}`
  const lead = `# ${JSON.stringify(key)}: revision ${revision}, created at ${createRevision}, ${bytes} bytes${how}\n`
  if (object === undefined) return `${lead}# ${problem}\n`
  return lead + Buffer.from(encodeYaml(object)).toString()
}
