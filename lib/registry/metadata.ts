import type { Clock, Random } from '../base/index.ts'
import { type ApiObject, formatTime, type ObjectMeta, statusErrors } from '../object/index.ts'

/** Without vowels and similar characters, so that no word appears. */
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789'
const suffixCharacters = 5
const generateNameCharactersMax = 58

/** Clears the fields of a new object that only the server may set. */
export function wipeSystemMetadata(meta: ObjectMeta): void {
  delete meta.creationTimestamp
  delete meta.deletionTimestamp
  delete meta.deletionGracePeriodSeconds
  delete meta.uid
  delete meta.selfLink
}

export function fillSystemMetadata(meta: ObjectMeta, clock: Clock, random: Random): void {
  meta.creationTimestamp = formatTime(clock.now())
  meta.uid = random.uuid()
}

export function generateName(base: string, random: Random): string {
  let name = base.slice(0, generateNameCharactersMax)
  for (let i = 0; i < suffixCharacters; i++) name += suffixAlphabet[random.below(suffixAlphabet.length)] ?? ''
  return name
}

/** The namespace of an object in a request's body is the URL's or absent. Throws 400 when they differ. */
export function ensureNamespace(object: ApiObject, namespace: string): void {
  const { metadata } = object
  if (metadata.namespace === namespace) return
  if (namespace === '') delete metadata.namespace
  else if (metadata.namespace === undefined || metadata.namespace === '') metadata.namespace = namespace
  else
    throw statusErrors.badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    )
}

/** Keeps the fields that an update can't change. Changes `meta`. */
export function keepServerMetadata(meta: ObjectMeta, old: ObjectMeta, clock: Clock): void {
  delete meta.selfLink
  set(meta, 'generation', old.generation)
  if ((meta.uid ?? '') === '') set(meta, 'uid', old.uid)
  meta.creationTimestamp = old.creationTimestamp ?? formatTime(clock.now())
  if (old.deletionTimestamp !== undefined) meta.deletionTimestamp = old.deletionTimestamp
  if (meta.deletionGracePeriodSeconds === undefined)
    set(meta, 'deletionGracePeriodSeconds', old.deletionGracePeriodSeconds)
}

function set<Key extends keyof ObjectMeta>(meta: ObjectMeta, key: Key, value: ObjectMeta[Key]): void {
  if (value === undefined) delete meta[key]
  else meta[key] = value
}
