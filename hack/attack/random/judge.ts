import type { Answer } from '../client.ts'
import type { Marker } from '../setup.ts'
import type { Planned } from './requests.ts'
import type { Attacker, Rights } from './rights.ts'

/** Finds what is wrong with an answer, a line each. */
export interface Judge {
  answer(user: Attacker, planned: Planned, answer: Answer): string[]
  /** Checks a text for operators: it must contain no secret. */
  written(where: string, text: string): string[]
}

/** Statuses of a request that its user may not make: the authorizer decides before the rest of the request is read. */
const refusals = new Set([401, 403, 429])

export function createJudge(rights: Rights, markers: readonly Marker[]): Judge {
  const spelled = markers.map((marker) => ({ marker, forms: spellings(marker.text) }))
  return {
    answer(user, planned, answer) {
      const seen = `${JSON.stringify(answer.headers)}\n${answer.bytes.toString('latin1')}`
      const learnt = spelled.filter(({ marker, forms }) => !mayLearn(user, marker) && holds(seen, forms))
      return [
        ...learnt.map(({ marker }) => `shows ${marker.place} to ${user}`),
        ...rightsBroken(rights, user, planned, answer),
        ...faultsOf(planned, answer),
      ]
    },
    written: (where, text) =>
      spelled
        .filter(({ marker, forms }) => marker.secret && holds(text, forms))
        .map(({ marker }) => `${marker.place} is in ${where}`),
  }
}

/** An administrator reads objects, but no keys and tokens of others. */
function mayLearn(user: Attacker, { mayLearn: users, isObject }: Marker): boolean {
  return user === 'admin' ? isObject : user !== 'anonymous' && users.includes(user)
}

/** The text, and its base64 form for each offset within three bytes; the ends depend on adjacent bytes. */
function spellings(text: string): string[] {
  const encoded = [0, 1, 2].map((offset) =>
    Buffer.from(`${'x'.repeat(offset)}${text}`)
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4),
  )
  return [text, ...encoded, Buffer.from(text).toString('hex')]
}

const holds = (text: string, forms: readonly string[]): boolean => forms.some((form) => text.includes(form))

function rightsBroken(rights: Rights, user: Attacker, planned: Planned, { status }: Answer): string[] {
  const { attributes, impersonates, sent } = planned
  if (attributes === undefined || status === 0) return []
  const { group, resource, subresource, verb, namespace, name } = attributes
  const asked = `${verb} ${resource}${subresource && `/${subresource}`}.${group} ${namespace}/${name}`
  if (impersonates && status < 300) return [`lets ${user} act as ${sent.headers?.['impersonate-user']}: ${asked}`]
  if (impersonates || rights.allows(user, attributes) || refusals.has(status)) return []
  // The request's timeout is read before everything else.
  if (status === 400 && /[?&]timeout=/.test(sent.path)) return []
  return [`answers ${status} to ${user}, who may not ${asked}`]
}

/** Faults that no request may cause, whoever sends it. */
function faultsOf({ sent, attributes, connects }: Planned, { status, json, text, broken, headers }: Answer): string[] {
  if (connects) return []
  if (status === 0) return broken === '' ? [] : [`has no answer: ${broken}`]
  if (broken === 'timeout') return ['has no end']
  // The stock server, too, has a few refusals of its stores with this status; they have no reason.
  if (status === 500 && text.includes('InternalError')) return [`answers 500: ${text.slice(0, 600)}`]
  if (status > 500 && status !== 503 && status !== 504) return [`answers ${status}: ${text.slice(0, 600)}`]
  const isJson = String(headers['content-type']).startsWith('application/json')
  if (!isJson || sent.method === 'HEAD' || attributes?.verb === 'watch') return []
  if (broken === '' && json === undefined) return [`answers with JSON that is none: ${text.slice(0, 300)}`]
  if (status >= 400 && attributes !== undefined && (json.kind !== 'Status' || json.code !== status))
    return [`answers ${status} without its Status: ${text.slice(0, 300)}`]
  return []
}
