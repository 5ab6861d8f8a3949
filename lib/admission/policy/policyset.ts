import type * as v1 from '../../../api/gen/admissionregistration.k8s.io/v1.ts'
import { type Clock, type Logger, runSteps } from '../../base/index.ts'
import type { ApiObject, GroupVersionKind } from '../../object/index.ts'
import { type Matched, MatchIndex } from '../matching.ts'
import type { ObjectVersions } from '../versions.ts'
import type { ParamSources } from './params.ts'
import { type Binding, compilePolicy, type Policy, type PolicyEnvironments, type PolicySpec, type ReadRules, readBinding } from './policy.ts' // biome-ignore format: one line

/** A policy with one of its bindings. */
export interface BoundPolicy<Rules> {
  readonly policy: Policy<Rules>
  readonly binding: Binding
}

export interface PolicySetDependencies {
  readonly clock: Clock
  readonly log: Logger
  readonly versions: ObjectVersions
  readonly params: ParamSources
  readonly environments: (hasParams: boolean) => PolicyEnvironments
}

/**
 * All policies of one kind with their bindings, kept up to date. A policy is compiled once for each change of its
 * specification, a slice at a time; until then its previous form is in force.
 */
export class PolicySet<Spec extends PolicySpec, Rules> {
  readonly #dependencies: PolicySetDependencies
  readonly #read: ReadRules<Spec, Rules>
  readonly #policies = new Map<string, Policy<Rules>>()
  readonly #bindings = new Map<string, Binding>()
  /** New specifications by policy name; in the order of arrival. */
  readonly #waiting = new Map<string, Spec>()
  /** UID and generation of each policy that is compiled or waits for it, by name. */
  readonly #keys = new Map<string, string>()
  #compiling: Promise<void> | undefined
  #index: MatchIndex<BoundPolicy<Rules>> | undefined

  constructor(dependencies: PolicySetDependencies, read: ReadRules<Spec, Rules>) {
    this.#dependencies = dependencies
    this.#read = read
  }

  /** Undefined when nothing is left to compile. */
  get compiling(): Promise<void> | undefined {
    return this.#compiling
  }

  /** Policies by name, with their bindings by name. */
  get index(): MatchIndex<BoundPolicy<Rules>> {
    return (this.#index ??= this.#createIndex())
  }

  setPolicy(object: ApiObject): void {
    const { name = '', uid = '', generation = 0 } = object.metadata
    const key = `${uid}/${generation}`
    // Without a generation every change counts.
    if (this.#keys.get(name) === key && generation > 0) return
    this.#keys.set(name, key)
    this.#waiting.set(name, (object['spec'] ?? {}) as Spec)
    this.#compiling ??= this.#compileAll().finally(() => (this.#compiling = undefined))
  }

  removePolicy(name: string): void {
    this.#keys.delete(name)
    this.#waiting.delete(name)
    this.#policies.delete(name)
    this.#index = undefined
  }

  setBinding(object: ApiObject): void {
    const { name = '' } = object.metadata
    const binding = readBinding(name, (object['spec'] ?? {}) as v1.ValidatingAdmissionPolicyBindingSpec)
    if (binding.broken !== undefined) this.#report('binding', name, binding.broken)
    this.#bindings.set(name, binding)
    this.#index = undefined
  }

  removeBinding(name: string): void {
    this.#bindings.delete(name)
    this.#index = undefined
  }

  async #compileAll(): Promise<void> {
    const { clock } = this.#dependencies
    // Changes that arrive together are compiled together, after the compilation in progress.
    await new Promise((resolve) => void clock.soon(() => resolve(undefined)))
    for (const [name, spec] of this.#waiting) {
      this.#waiting.delete(name)
      const compiled = await runSteps(compilePolicy(name, spec, this.#read, this.#dependencies))
      if (!this.#keys.has(name)) continue
      if (compiled.broken !== undefined) this.#report('policy', name, compiled.broken)
      this.#policies.set(name, compiled)
      this.#index = undefined
    }
  }

  #report(what: 'policy' | 'binding', name: string, why: string): void {
    this.#dependencies.log.error('an admission policy can not be understood', { [what]: name, why })
  }

  #createIndex(): MatchIndex<BoundPolicy<Rules>> {
    const { versions, params } = this.#dependencies
    const byPolicy = Map.groupBy(sorted(this.#bindings), ({ policyName }) => policyName)
    const kinds: GroupVersionKind[] = []
    const items: Matched<BoundPolicy<Rules>>[] = []
    for (const policy of sorted(this.#policies)) {
      const bindings = byPolicy.get(policy.name) ?? []
      if (policy.paramKind && bindings.some(({ paramRef }) => paramRef)) kinds.push(policy.paramKind)
      for (const binding of bindings)
        items.push({ item: { policy, binding }, match: policy.match, also: binding.match })
    }
    params.keep(kinds)
    return new MatchIndex(items, versions)
  }
}

function sorted<Value>(byName: ReadonlyMap<string, Value>): Value[] {
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value)
}
