import {
  type FieldRequirement,
  type LabelRequirement,
  parseFieldSelector,
  parseLabelSelector,
  validateDns1123Label,
  validateDns1123Subdomain,
} from '../../object/index.ts'
import { type Library, memberForm, type Overload } from '../check/function.ts'
import { exactly, plus, type Range, scaled } from '../check/range.ts'
import { types } from '../check/types.ts'
import { costs, sizeOf } from '../run/cost.ts'
import { invalidArgument } from '../run/errors.ts'
import { Pending } from '../run/pending.ts'
import { Opaque, type Value } from '../run/values.ts'

const { string, bool } = types

/** The authorization check of an expression. */
export interface AuthorizationQuery {
  /** Checked instead of the request's user. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string }
  readonly verb: string
  /** The path of a non-resource request, which leaves the other fields unset. */
  readonly path?: string
  readonly group?: string
  readonly resource?: string
  readonly subresource?: string
  readonly namespace?: string
  readonly name?: string
  /** Set when the expression has a selector, parsable or not. */
  readonly fieldSelector?: Selector<FieldRequirement>
  readonly labelSelector?: Selector<LabelRequirement>
}

interface Selector<Requirement> {
  readonly text: string
  /** undefined: the text does not parse. */
  readonly requirements: readonly Requirement[] | undefined
}

export interface AuthorizationAnswer {
  readonly allowed: boolean
  readonly reason: string
  /** The check failed. */
  readonly error?: string
}

/** Decides, possibly later. Called once for equal queries of one evaluation. */
export type Authorize = (query: AuthorizationQuery) => AuthorizationAnswer | Promise<AuthorizationAnswer>

type Draft = Omit<AuthorizationQuery, 'verb'>

const typeNames = {
  authorizer: 'kubernetes.authorization.Authorizer',
  path: 'kubernetes.authorization.PathCheck',
  group: 'kubernetes.authorization.GroupCheck',
  resource: 'kubernetes.authorization.ResourceCheck',
  decision: 'kubernetes.authorization.Decision',
} as const

/** Types of the variables `authorizer` and `authorizer.requestResource`. */
export const authorizerType = types.opaque(typeNames.authorizer)
export const resourceCheckType = types.opaque(typeNames.resource)

/** Answers of one evaluation by query: an evaluation that starts over reuses them. */
class Answers {
  readonly #authorize: Authorize
  readonly #known = new Map<string, AuthorizationAnswer>()

  constructor(authorize: Authorize) {
    this.#authorize = authorize
  }

  ask(query: AuthorizationQuery): AuthorizationAnswer {
    const key = JSON.stringify(query)
    const known = this.#known.get(key)
    if (known) return known
    const answer = this.#authorize(query)
    if (!(answer instanceof Promise)) {
      this.#known.set(key, answer)
      return answer
    }
    throw new Pending(
      answer.then(
        (value) => this.#known.set(key, value),
        (error: unknown) => {
          const message = error instanceof Error ? error.message : String(error)
          this.#known.set(key, { allowed: false, reason: '', error: message })
        },
      ),
    )
  }
}

/** An authorizer, or a check under construction. */
class CheckValue extends Opaque {
  readonly typeName: string
  readonly draft: Draft
  readonly answers: Answers
  constructor(typeName: string, draft: Draft, answers: Answers) {
    super()
    this.typeName = typeName
    this.draft = draft
    this.answers = answers
  }
  with(typeName: string, more: Draft): CheckValue {
    return new CheckValue(typeName, { ...this.draft, ...more }, this.answers)
  }
  equals(other: Opaque): boolean {
    return other instanceof CheckValue && JSON.stringify(this.draft) === JSON.stringify(other.draft)
  }
}

class DecisionValue extends Opaque {
  readonly answer: AuthorizationAnswer
  constructor(answer: AuthorizationAnswer) {
    super()
    this.answer = answer
  }
  get typeName(): string {
    return typeNames.decision
  }
  equals(other: Opaque): boolean {
    if (!(other instanceof DecisionValue)) return false
    const [a, b] = [this.answer, other.answer]
    return a.allowed === b.allowed && a.reason === b.reason && a.error === b.error
  }
}

/** The value of `authorizer`, for one evaluation or several of one request. */
export function createAuthorizerValue(authorize: Authorize): Value {
  return new CheckValue(typeNames.authorizer, {}, new Answers(authorize))
}

/** The value of `authorizer.requestResource`; `authorizer` is a result of createAuthorizerValue. */
export function createResourceCheckValue(authorizer: Value, query: Draft): Value {
  if (!(authorizer instanceof CheckValue)) throw new Error('not an authorizer')
  return authorizer.with(typeNames.resource, query)
}

/** Allows an expression two checks: an evaluation may cost a million. */
const checkCost = 350_000

/** path, group, serviceAccount, resource, subresource, namespace, name, check, allowed, reason, errored, error. */
export function authorizerLibrary(): Library {
  const path = types.opaque(typeNames.path)
  const group = types.opaque(typeNames.group)
  const decision = types.opaque(typeNames.decision)
  const [authorizer, resource] = [authorizerType, resourceCheckType]
  const step = (id: string, from: typeof path, to: typeof path, more: (text: string) => Draft): Overload =>
    memberForm(id, [from, string], to, (value: CheckValue, text: string) => value.with(to.name, more(text)))
  const checkExtras = { cost: () => checkCost, estimate: () => ({ cost: exactly(checkCost) }) }
  const check = (value: CheckValue, verb: string): Value =>
    new DecisionValue(value.answers.ask({ ...value.draft, verb }))
  const read = (name: string, result: typeof bool, call: (answer: AuthorizationAnswer) => Value) => ({
    name,
    overloads: [memberForm(`decision_${name}`, [decision], result, (value: DecisionValue) => call(value.answer))],
  })
  return {
    name: 'authorizer',
    types: [authorizer, path, group, resource, decision],
    functions: [
      {
        name: 'path',
        overloads: [step('authorizer_path', authorizer, path, (text) => ({ path: required(text, 'path') }))],
      },
      { name: 'group', overloads: [step('authorizer_group', authorizer, group, (text) => ({ group: text }))] },
      {
        name: 'serviceAccount',
        overloads: [memberForm('authorizer_serviceaccount', [authorizer, string, string], authorizer, serviceAccount)],
      },
      {
        name: 'resource',
        overloads: [step('groupcheck_resource', group, resource, (text) => ({ resource: required(text, 'resource') }))],
      },
      {
        name: 'subresource',
        overloads: [step('resourcecheck_subresource', resource, resource, (text) => ({ subresource: text }))],
      },
      {
        name: 'namespace',
        overloads: [step('resourcecheck_namespace', resource, resource, (text) => ({ namespace: text }))],
      },
      { name: 'name', overloads: [step('resourcecheck_name', resource, resource, (text) => ({ name: text }))] },
      {
        name: 'check',
        overloads: [
          memberForm('pathcheck_check', [path, string], decision, check, checkExtras),
          memberForm('resourcecheck_check', [resource, string], decision, check, checkExtras),
        ],
      },
      read('allowed', bool, (answer) => answer.allowed),
      read('reason', string, (answer) => answer.reason),
      read('errored', bool, (answer) => answer.error !== undefined),
      read('error', string, (answer) => answer.error ?? ''),
    ],
  }
}

function required(text: string, what: string): string {
  return text.trim() === '' ? invalidArgument(`${what} must not be empty`) : text
}

function serviceAccount(value: CheckValue, namespace: string, name: string): Value {
  if (validateDns1123Subdomain(name).length > 0) return invalidArgument('Invalid service account name')
  if (validateDns1123Label(namespace).length > 0) return invalidArgument('Invalid service account namespace')
  return value.with(typeNames.authorizer, { serviceAccount: { namespace, name } })
}

/** fieldSelector and labelSelector. */
export function authorizerSelectorsLibrary(): Library {
  const extras = {
    cost: (_: Value, text: Value) => selectorCost(exactly(sizeOf(text))).max,
    estimate: (([, text]) => ({ cost: selectorCost(text?.size ?? exactly(0)) })) as NonNullable<Overload['estimate']>,
  }
  const form = (id: string, more: (text: string) => Draft): Overload =>
    memberForm(
      id,
      [resourceCheckType, string],
      resourceCheckType,
      (value: CheckValue, text: string) => value.with(resourceCheckType.name, more(text)),
      extras,
    )
  return {
    name: 'authorizer selectors',
    functions: [
      {
        name: 'fieldSelector',
        overloads: [
          form('authorizer_fieldselector', (text) => ({
            fieldSelector: { text, requirements: attempt(() => parseFieldSelector(text).requirements) },
          })),
        ],
      },
      {
        name: 'labelSelector',
        overloads: [
          form('authorizer_labelselector', (text) => ({
            labelSelector: { text, requirements: attempt(() => parseLabelSelector(text).requirements) },
          })),
        ],
      },
    ],
  }
}

function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse()
  } catch {
    return undefined
  }
}

/** Cost of reading the text, and of a list of requirements; the shortest requirement has two characters. */
function selectorCost(size: Range): Range {
  const requirements = scaled(scaled(size, 0.5), costs.list + costs.struct)
  return plus(exactly(costs.list), plus(scaled(size, costs.traversal), requirements))
}
