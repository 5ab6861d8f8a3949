import type * as v1 from '../../api/gen/admissionregistration.k8s.io/v1.ts'
import type { GroupVersionResource } from '../object/index.ts'
import type { AdmissionAttributes } from './plugin.ts'
import type { ObjectVersions, ServedForm } from './versions.ts'

type Rule = v1.NamedRuleWithOperations

/** The part of a webhook or policy that says which requests it is about, by what stands in the request's path. */
export interface ResourceMatch {
  readonly rules: readonly Rule[]
  readonly excluded?: readonly Rule[]
  readonly isExact: boolean
}

type About = Pick<AdmissionAttributes, 'operation' | 'resource' | 'kind' | 'subresource' | 'namespace' | 'name'>

/** The form of the request's resource that a rule names; undefined: no rule does. */
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

/** Operation, scope, name and part of the resource. */
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

/** The number of (operation, resource) pairs an index remembers at most; beyond it the index begins anew. */
const rememberedMatchesMax = 4096

export interface Candidate<Item> {
  readonly item: Item
  /** Among all, in their order. */
  readonly index: number
  readonly form: ServedForm
}

/**
 * Finds the items (webhooks, policies) that match a request. The answer is worked out once for each operation and
 * resource: later requests don't look at items that can't match. Items whose rules name objects are asked each time.
 */
export class MatchIndex<Item> {
  readonly #versions: ObjectVersions
  readonly #items: readonly { readonly item: Item; readonly match: ResourceMatch }[]
  readonly #known = new Map<string, readonly Candidate<Item>[]>()
  readonly #byName: boolean
  #served: unknown

  constructor(items: readonly { readonly item: Item; readonly match: ResourceMatch }[], versions: ObjectVersions) {
    this.#items = items
    this.#versions = versions
    const isByName = (rules: readonly Rule[] = []): boolean =>
      rules.some((rule) => (rule.resourceNames ?? []).length > 0)
    this.#byName = items.some(({ match }) => isByName(match.rules) || isByName(match.excluded))
  }

  candidates(about: About): readonly Candidate<Item>[] {
    if (this.#items.length === 0) return none
    if (this.#byName) return this.#find(about)
    const served = this.#versions.served()
    if (this.#served !== served || this.#known.size >= rememberedMatchesMax) this.#known.clear()
    this.#served = served
    const { operation, resource, subresource, namespace } = about
    const scope = namespace === '' ? 'c' : 'n'
    const key = `${operation} ${scope} ${resource.group}/${resource.version}/${resource.resource}/${subresource}`
    const known = this.#known.get(key)
    if (known) return known
    const found = this.#find(about)
    this.#known.set(key, found)
    return found
  }

  #find(about: About): readonly Candidate<Item>[] {
    const found: Candidate<Item>[] = []
    for (const [index, { item, match }] of this.#items.entries()) {
      const form = matchResource(match, about, this.#versions)
      if (form) found.push({ item, index, form })
    }
    return found
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

/** Writes of webhook configurations and policies themselves: nothing that others configured may stand in their way. */
export function isExempt({ resource }: Pick<AdmissionAttributes, 'resource'>): boolean {
  return resource.group === 'admissionregistration.k8s.io' && configurationKinds.has(resource.resource)
}
