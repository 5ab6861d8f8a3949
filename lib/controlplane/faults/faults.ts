import { createSeededRandom } from '../../base/index.ts'
import { RequestError } from '../../client/index.ts'
import type { QueryParameters } from '../../request/index.ts'
import type { CallFault, ServerCall } from '../../server/index.ts'
import { callFaultOf, checkFaultRule, type FaultRule, verbsOf } from './rule.ts'

/** A rule in force. */
export interface InjectedFault {
  /** How often it has struck. */
  readonly times: number
  /** Ends it; requests in progress keep their fault. */
  remove(): void
}

/** Faults that tests inject into requests, of clients in this process and of others alike. */
export interface Faults {
  /**
   * Later rules come after earlier ones: a request has the fault of the first rule that selects it. At most 1000 rules
   * are in force at a time. Throws an Error of one line for a rule that makes no sense.
   */
  add(rule: FaultRule): InjectedFault
  /** Removes all rules. */
  clear(): void
}

export interface FaultInjection {
  readonly faults: Faults
  /** The failure of the next call of an admission webhook; undefined: it is called. */
  webhookFailure(name: string): Error | undefined
}

const rulesMax = 1000

/** `intercept` puts a function in front of all calls, or takes it away. */
export function createFaults(
  intercept: (faultOf: ((call: ServerCall) => CallFault | undefined) | undefined) => void,
): FaultInjection {
  const rules = new Set<Rule>()
  let intercepts = false

  function changed(): void {
    const needed = Array.from(rules).some(({ rule }) => rule.fault.kind !== 'webhook')
    if (needed === intercepts) return
    intercepts = needed
    intercept(needed ? faultOf : undefined)
  }

  function faultOf(call: ServerCall): CallFault | undefined {
    for (const rule of rules) if (rule.selects(call) && rule.strikes()) return rule.faultOf(call)
    return undefined
  }

  return {
    faults: {
      add(given) {
        checkFaultRule(given)
        if (rules.size >= rulesMax) throw new Error(`fault: at most ${rulesMax} rules are in force at a time`)
        const rule = new Rule(structuredClone(given))
        rules.add(rule)
        changed()
        return {
          get times() {
            return rule.times
          },
          remove() {
            rules.delete(rule)
            changed()
          },
        }
      },
      clear() {
        rules.clear()
        changed()
      },
    },
    webhookFailure(name) {
      for (const rule of rules) {
        const { fault } = rule.rule
        if (fault.kind === 'webhook' && fault.name === name && rule.strikes()) return webhookError(fault.how)
      }
      return undefined
    },
  }
}

class Rule {
  readonly rule: FaultRule
  times = 0
  #matched = 0
  readonly #verbs: ReadonlySet<string>
  readonly #resource: Target | undefined
  readonly #random

  constructor(rule: FaultRule) {
    this.rule = rule
    this.#verbs = verbsOf(rule)
    this.#resource = rule.resource === undefined ? undefined : targetOf(rule.resource)
    this.#random = createSeededRandom(rule.seed ?? 1)
  }

  selects({ info, user, query }: ServerCall): boolean {
    const { namespace, name, user: wanted, fault } = this.rule
    if (!info.isResource || fault.kind === 'webhook' || !this.#verbs.has(info.verb)) return false
    if (this.#resource && !isTarget(this.#resource, info)) return false
    if (namespace !== undefined && info.namespace !== namespace) return false
    if (name !== undefined && info.name !== name) return false
    if (wanted !== undefined && user.name !== wanted) return false
    return fault.kind !== 'expired' || isFromPast(query)
  }

  /** Counts a matching request. True: it has the fault. */
  strikes(): boolean {
    const { skip = 0, count = Number.POSITIVE_INFINITY, probability = 1 } = this.rule
    if (this.times >= count || this.#matched++ < skip) return false
    if (probability < 1 && this.#random.fraction() >= probability) return false
    this.times++
    return true
  }

  faultOf({ info: { group, resource, name }, query }: ServerCall): CallFault {
    return callFaultOf(this.rule.fault, {
      group,
      resource,
      name,
      continues: query.has('continue'),
      requested: query.get('resourceVersion') ?? '',
    })
  }
}

interface Target {
  readonly resource: string
  /** Absent: of any group. */
  readonly group: string | undefined
  readonly subresource: string
}

/** `deployments.apps/scale`; `pods` is of any group. */
function targetOf(text: string): Target {
  const [whole = '', subresource = ''] = text.split('/')
  const dot = whole.indexOf('.')
  return dot < 0
    ? { resource: whole, group: undefined, subresource }
    : { resource: whole.slice(0, dot), group: whole.slice(dot + 1), subresource }
}

function isTarget({ resource, group, subresource }: Target, info: ServerCall['info']): boolean {
  return info.resource === resource && info.subresource === subresource && (group === undefined || info.group === group)
}

/** Such a request may be too late for the history that the server keeps. */
function isFromPast(query: QueryParameters): boolean {
  const version = query.get('resourceVersion') ?? ''
  return (query.get('continue') ?? '') !== '' || (version !== '' && version !== '0')
}

function webhookError(how: 'refused' | 'timeout' = 'refused'): Error {
  const why = how === 'refused' ? 'connect: connection refused' : 'context deadline exceeded'
  return new RequestError(why, { why, isTimeout: how === 'timeout' })
}
