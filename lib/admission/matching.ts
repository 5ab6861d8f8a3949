import type * as v1 from '../../api/gen/admissionregistration.k8s.io/v1.ts'
import type { GroupVersionResource } from '../object/index.ts'
import type { AdmissionAttributes } from './plugin.ts'
import type { ObjectVersions, ServedForm } from './versions.ts'

type Rule = v1.NamedRuleWithOperations

/** The part of a webhook or policy that selects requests by the resource in their path. */
export interface ResourceMatch {
  readonly rules: readonly Rule[]
  readonly excluded?: readonly Rule[]
  readonly isExact: boolean
}

type About = Pick<AdmissionAttributes, 'operation' | 'resource' | 'kind' | 'subresource' | 'namespace' | 'name'>

/** The form of the request's resource that a rule names; undefined: no rule matches. */
function matchResource(match: ResourceMatch, about: About, versions: ObjectVersions): ServedForm | undefined {
  if (match.excluded && findForm(match.excluded, match.isExact, about, versions)) return undefined
  return findForm(match.rules, match.isExact, about, versions)
}

function findForm(
  rules: readonly Rule[],
  isExact: boolean,
  about: About,
  versions: ObjectVersions,
): ServedForm | undefined {
  const { resource, kind, subresource } = about
  if (rules.some((rule) => fits(rule, about) && names(rule, resource))) return { resource, kind }
  if (isExact) return undefined
  let others: readonly ServedForm[] | undefined
  for (const rule of rules) {
    if (!fits(rule, about)) continue
    others ??= versions.equivalents(resource, subresource).filter((form) => !isSame(form.resource, resource))
    const found = others.find((form) => names(rule, form.resource) && namesPart(rule, form.resource, subresource))
    if (found) return found
  }
  return undefined
}

function isSame(a: GroupVersionResource, b: GroupVersionResource): boolean {
  return a.group === b.group && a.version === b.version && a.resource === b.resource
}

/** Compares operation, scope, name and subresource. */
function fits(rule: Rule, { operation, resource, subresource, namespace, name }: About): boolean {
  const { scope = '*', operations = [], resourceNames = [] } = rule
  if (!has(operations, operation)) return false
  const isNamespaced = namespace !== '' && resource.resource !== 'namespaces'
  if (scope !== '*' && (scope === 'Namespaced') !== isNamespaced) return false
  if (resourceNames.length > 0 && !resourceNames.includes(name)) return false
  return namesPart(rule, resource, subresource)
}

function names({ apiGroups = [], apiVersions = [] }: Rule, { group, version }: GroupVersionResource): boolean {
  return has(apiGroups, group) && has(apiVersions, version)
}

function namesPart({ resources = [] }: Rule, { resource }: GroupVersionResource, subresource: string): boolean {
  return resources.some((text) => {
    const slash = text.indexOf('/')
    const of = slash < 0 ? text : text.slice(0, slash)
    const part = slash < 0 ? '' : text.slice(slash + 1)
    return (of === '*' || of === resource) && (part === '*' || part === subresource)
  })
}

function has(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value)
}

/** Maximum number of (operation, resource) pairs in an index; beyond it the index starts empty again. */
const rememberedMatchesMax = 4096

export interface Candidate<Item> {
  readonly item: Item
  /** Position among all items. */
  readonly index: number
  readonly form: ServedForm
}

/** An item and its parts, all of which must match; the first one determines the form. */
export interface Matched<Item> {
  readonly item: Item
  readonly match: ResourceMatch
  readonly also?: ResourceMatch | undefined
}

/** Matches everything, as absent rules do. */
const everything: readonly Rule[] = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }]

/** The match of a policy or a binding: without rules it matches all requests. */
export function readResourceMatch({
  resourceRules = [],
  excludeResourceRules = [],
  matchPolicy,
}: v1.MatchResources): ResourceMatch {
  return {
    rules: resourceRules.length === 0 ? everything : resourceRules,
    excluded: excludeResourceRules,
    isExact: matchPolicy === 'Exact',
  }
}

/**
 * Finds the items (webhooks, policies) that match a request. The result is computed once for each operation and
 * resource: later requests skip items that can't match. Items whose rules name objects are checked each time, once
 * their resource matches.
 */
export class MatchIndex<Item> {
  readonly #versions: ObjectVersions
  readonly #items: readonly Entry<Item>[]
  readonly #known = new Map<string, Found<Item>>()
  #served: unknown

  constructor(items: readonly Matched<Item>[], versions: ObjectVersions) {
    this.#items = items.map((matched) => {
      const parts = matched.also ? [matched.match, matched.also] : [matched.match]
      const isByName = parts.some(({ rules, excluded = [] }) => [...rules, ...excluded].some(namesObjects))
      return { ...matched, parts, anyName: isByName ? parts.map(withoutNames) : undefined }
    })
    this.#versions = versions
  }

  get size(): number {
    return this.#items.length
  }

  candidates(about: About): readonly Candidate<Item>[] {
    if (this.#items.length === 0) return none
    const served = this.#versions.served()
    if (this.#served !== served || this.#known.size >= rememberedMatchesMax) this.#known.clear()
    this.#served = served
    const { operation, resource, subresource, namespace } = about
    const scope = namespace === '' ? 'c' : 'n'
    const key = `${operation} ${scope} ${resource.group}/${resource.version}/${resource.resource}/${subresource}`
    let known = this.#known.get(key)
    if (!known) {
      known = this.#find(about)
      this.#known.set(key, known)
    }
    return known.byName ? this.#withNames(known, about) : known.candidates
  }

  #find(about: About): Found<Item> {
    const candidates: Candidate<Item>[] = []
    let byName: Set<number> | undefined
    for (const [index, { item, parts, anyName }] of this.#items.entries()) {
      const form = this.#match(anyName ?? parts, about)
      if (!form) continue
      candidates.push({ item, index, form })
      if (anyName) (byName ??= new Set()).add(index)
    }
    return { candidates, byName }
  }

  #withNames({ candidates, byName }: Found<Item>, about: About): readonly Candidate<Item>[] {
    const found: Candidate<Item>[] = []
    for (const candidate of candidates) {
      const { index } = candidate
      const form = byName?.has(index) ? this.#match(this.#items[index]?.parts ?? none, about) : candidate.form
      if (form) found.push({ ...candidate, form })
    }
    return found
  }

  #match(parts: readonly ResourceMatch[], about: About): ServedForm | undefined {
    let first: ServedForm | undefined
    for (const part of parts) {
      const form = matchResource(part, about, this.#versions)
      if (!form) return undefined
      first ??= form
    }
    return first
  }
}

interface Entry<Item> extends Matched<Item> {
  readonly parts: readonly ResourceMatch[]
  /** The parts without the names of objects in their rules; undefined: there are none. */
  readonly anyName: readonly ResourceMatch[] | undefined
}

interface Found<Item> {
  readonly candidates: readonly Candidate<Item>[]
  /** Indexes of the items that match some objects only. */
  readonly byName: ReadonlySet<number> | undefined
}

function namesObjects({ resourceNames = [] }: Rule): boolean {
  return resourceNames.length > 0
}

/** Matches every object of the resource. */
function withoutNames({ rules, excluded = [], isExact }: ResourceMatch): ResourceMatch {
  return {
    rules: rules.map((rule) => ({ ...rule, resourceNames: [] })),
    excluded: excluded.filter((rule) => !namesObjects(rule)),
    isExact,
  }
}

const none: readonly never[] = []

const configurationKinds = new Set([
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
])

/** Writes of webhook configurations and policies themselves: no configuration of a client may block them. */
export function isExempt({ resource }: Pick<AdmissionAttributes, 'resource'>): boolean {
  return resource.group === 'admissionregistration.k8s.io' && configurationKinds.has(resource.resource)
}

const reviews = new Map([
  ['authentication.k8s.io', ['selfsubjectreviews', 'tokenreviews']],
  [
    'authorization.k8s.io',
    ['localsubjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews'],
  ],
])

/** Reviews, which are questions about users: policies never see them; webhooks do. */
export function isReview({ resource }: Pick<AdmissionAttributes, 'resource'>): boolean {
  return reviews.get(resource.group)?.includes(resource.resource) ?? false
}
