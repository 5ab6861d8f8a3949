import type { PolicyRule } from '../../../api/gen/rbac.authorization.k8s.io/v1.ts'

export type { PolicyRule }

/** An action, or with wildcards (`*`) a set of actions, prepared for rule indexes. Make one per decision. */
export interface RbacAction {
  readonly verb: string
  readonly group: string
  /** The forms in which a rule may name the resource; none for a path. */
  readonly forms: readonly string[]
  /** `group/form` for all groups and forms in which a rule may name it. */
  readonly keys: readonly string[]
  /** Undefined: all names. */
  readonly name: string | undefined
  /** The path of a non-resource request. */
  readonly path: string | undefined
}

/**
 * An action on a resource, `group/resource[/subresource]`. A rule may have that form, or `*` for the group, for the
 * resource with all its subresources, or for every resource's subresource of that name (a rule's resource `*` followed
 * by `/scale`).
 */
export function resourceAction(verb: string, group: string, resource: string, subresource: string, name?: string) {
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  const forms = subresource === '' ? ['*', whole] : ['*', whole, `*/${subresource}`]
  const keys: string[] = []
  for (const form of forms) keys.push(`${group}/${form}`, `*/${form}`)
  return { verb, group, forms, keys, name, path: undefined } satisfies RbacAction
}

export function pathAction(verb: string, path: string): RbacAction {
  return { verb, group: '', forms: [], keys: [], name: undefined, path }
}

/** Maximum number of entries in one index; a rule that would need more is compared directly. */
const indexEntriesMax = 65_536
/** Maximum number of combinations of one rule that get an entry each. */
const ruleEntriesMax = 4096

interface Access<Source> {
  /** For rules without names. */
  every: Source | undefined
  names: Map<string, Source> | undefined
}

interface Linear<Source> {
  readonly verbs: ReadonlySet<string>
  readonly groups: ReadonlySet<string>
  readonly resources: ReadonlySet<string>
  readonly names: ReadonlySet<string> | undefined
  readonly source: Source
}

interface PathAccess<Source> {
  readonly verbs: ReadonlySet<string>
  readonly paths: ReadonlySet<string>
  readonly prefixes: readonly string[]
  readonly source: Source
}

/**
 * Decides in constant time, except for unusually wide rules, whether rules allow an action, and returns the source of
 * the rule.
 */
export class RuleIndex<Source> {
  readonly #resources = new Map<string, Map<string, Access<Source>>>()
  readonly #wide: Linear<Source>[] = []
  readonly #paths: PathAccess<Source>[] = []
  #entries = 0

  add(rule: PolicyRule, source: Source): void {
    const { verbs = [], nonResourceURLs = [] } = rule
    if (nonResourceURLs.length > 0) this.#addPaths(verbs, nonResourceURLs, source)
    const { apiGroups = [], resources = [], resourceNames = [] } = rule
    if (apiGroups.length === 0 || resources.length === 0) return
    const entries = apiGroups.length * resources.length * verbs.length * Math.max(1, resourceNames.length)
    if (entries > ruleEntriesMax || this.#entries + entries > indexEntriesMax) this.#addWide(rule, source)
    else this.#addEntries(rule, source, entries)
  }

  /** The source of a rule that allows `action`. */
  find(action: RbacAction): Source | undefined {
    if (action.path !== undefined) return this.#findPath(action.verb, action.path)
    for (const key of action.keys) {
      const verbs = this.#resources.get(key)
      if (verbs === undefined) continue
      const source = allowing(verbs.get(action.verb), action.name) ?? allowing(verbs.get('*'), action.name)
      if (source !== undefined) return source
    }
    return this.#wide.length === 0 ? undefined : this.#findWide(action)
  }

  #addEntries(
    { apiGroups = [], resources = [], verbs = [], resourceNames }: PolicyRule,
    source: Source,
    entries: number,
  ) {
    this.#entries += entries
    for (const group of apiGroups) {
      for (const resource of resources) {
        const byVerb = getOrSet(this.#resources, `${group}/${resource}`, () => new Map<string, Access<Source>>())
        for (const verb of verbs) {
          const access = getOrSet(byVerb, verb, () => ({ every: undefined, names: undefined }) as Access<Source>)
          if (!resourceNames?.length) access.every ??= source
          else {
            access.names ??= new Map()
            for (const name of resourceNames) if (!access.names.has(name)) access.names.set(name, source)
          }
        }
      }
    }
  }

  #addWide({ apiGroups, resources, verbs, resourceNames }: PolicyRule, source: Source): void {
    const names = resourceNames?.length ? new Set(resourceNames) : undefined
    this.#wide.push({
      verbs: new Set(verbs),
      groups: new Set(apiGroups),
      resources: new Set(resources),
      names,
      source,
    })
  }

  #addPaths(verbs: readonly string[], urls: readonly string[], source: Source): void {
    const prefixes = urls.filter((url) => url.endsWith('*')).map((url) => url.replace(/\*+$/, ''))
    this.#paths.push({ verbs: new Set(verbs), paths: new Set(urls), prefixes, source })
  }

  #findPath(verb: string, path: string): Source | undefined {
    for (const { verbs, paths, prefixes, source } of this.#paths) {
      if (!verbs.has(verb) && !verbs.has('*')) continue
      if (paths.has(path) || prefixes.some((prefix) => path.startsWith(prefix))) return source
    }
    return undefined
  }

  #findWide({ verb, group, forms, name }: RbacAction): Source | undefined {
    for (const { verbs, groups, resources, names, source } of this.#wide) {
      if (!verbs.has(verb) && !verbs.has('*')) continue
      if (!groups.has(group) && !groups.has('*')) continue
      if (names && (name === undefined || !names.has(name))) continue
      if (forms.some((form) => resources.has(form))) return source
    }
    return undefined
  }
}

function allowing<Source>(access: Access<Source> | undefined, name: string | undefined): Source | undefined {
  if (access === undefined) return undefined
  if (access.every !== undefined || access.names === undefined || name === undefined) return access.every
  return access.names.get(name)
}

function getOrSet<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}
