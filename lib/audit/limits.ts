import type { UserInfo } from '../request/index.ts'
import type { AuditObjectReference, ResponseStatus } from './event.ts'

/** Limits on the parts of a request that an event copies at any level: clients choose most of them. */
export const auditLimits = {
  uriCharacters: 16_384,
  userAgentCharacters: 1024,
  /** A name, uid or version in the object's reference. */
  referenceCharacters: 1024,
  /** A message in the answer, or in one of its causes. */
  messageCharacters: 8192,
  causeCharacters: 1024,
  causes: 64,
  annotations: 64,
  annotationCharacters: 8192,
  groups: 512,
  extraKeys: 32,
  extraValues: 16,
  userCharacters: 1024,
  sourceIps: 64,
} as const

const cutMark = '...TRUNCATED'

/** `text`, or its beginning with a mark that the rest was cut off. */
export function cut(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}${cutMark}`
}

export function limitReference(reference: AuditObjectReference): AuditObjectReference {
  const limited: Record<string, string> = {}
  for (const [key, value] of Object.entries(reference) as [string, string][])
    limited[key] = cut(value, auditLimits.referenceCharacters)
  return limited
}

/** Keeps the first causes and cuts other texts in the details. */
export function limitStatus(status: ResponseStatus): ResponseStatus {
  const { message, details } = status
  return {
    ...status,
    message: message && cut(message, auditLimits.messageCharacters),
    details: details && limitDetails(details),
  }
}

function limitDetails(details: object): object {
  const limited: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(details))
    limited[key] = key === 'causes' ? limitCauses(value) : cutAny(value)
  return limited
}

function limitCauses(causes: unknown): unknown {
  if (!Array.isArray(causes)) return undefined
  return causes.slice(0, auditLimits.causes).map((cause: object) => {
    const limited: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(cause)) limited[key] = cutAny(value)
    return limited
  })
}

function cutAny(value: unknown): unknown {
  return typeof value === 'string' ? cut(value, auditLimits.causeCharacters) : value
}

/** The user, with a limited number of groups and of entries in `extra`. */
export function limitUser({ name, uid, groups, extra }: UserInfo): UserInfo {
  const short = (text: string): string => cut(text, auditLimits.userCharacters)
  const keys = Object.keys(extra).slice(0, auditLimits.extraKeys)
  return {
    name: short(name),
    uid: short(uid),
    groups: cutList(groups, auditLimits.groups).map(short),
    extra: Object.fromEntries(
      keys.map((key) => [short(key), cutList(extra[key] ?? [], auditLimits.extraValues).map(short)]),
    ),
  }
}

/** The last item reports how many were left out. */
function cutList(list: readonly string[], max: number): readonly string[] {
  return list.length <= max ? list : [...list.slice(0, max), cutMark]
}
