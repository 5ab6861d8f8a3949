import type * as core from '../../../api/gen/core/v1.ts'
import { awaited, type Clock, Pauses, type Steps } from '../../base/index.ts'
import { SharedOutcomes, toValue, types, type Value } from '../../cel/index.ts'
import { statusErrors } from '../../object/index.ts'
import { withConversions } from '../../scheme/index.ts'
import { type AuthorizeFor, authorizerBindings } from '../conditions.ts'
import { ConvertedObjects } from '../convertedobjects.ts'
import { newRequestCost, type RequestCost } from '../evaluate.ts'
import type { AdmissionAttributes } from '../plugin.ts'
import { type AdmissionRequest, admissionRequest } from '../review.ts'
import type { FindNamespace } from '../selecting.ts'
import type { ObjectVersions, ServedForm } from '../versions.ts'

export interface RequestDependencies {
  readonly clock: Clock
  readonly versions: ObjectVersions
  readonly namespace: FindNamespace
  readonly authorize: AuthorizeFor
}

/** The variables of a View. */
const viewBindings: ReadonlySet<string> = new Set(['object', 'oldObject', 'request'])

/** The variables of a request in one version. */
export interface View {
  readonly object: Value
  readonly oldObject: Value
  readonly request: () => unknown
  /** Results of variables that several policies share. */
  readonly shared: SharedOutcomes
}

/** One request during the evaluation of policies: values that several policies need are computed once. */
export class PolicyRequest {
  readonly attributes: AdmissionAttributes
  readonly converted: ConvertedObjects
  readonly cost: RequestCost
  /** `authorizer` and `authorizer.requestResource`. */
  readonly authorizer: Readonly<Record<string, unknown>>
  readonly #find: FindNamespace
  #own: View | undefined
  readonly #views = new Map<string, View>()
  #namespace: core.Namespace | null | undefined

  constructor(attributes: AdmissionAttributes, { clock, versions, namespace, authorize }: RequestDependencies) {
    this.attributes = attributes
    this.converted = new ConvertedObjects(attributes, versions)
    this.cost = newRequestCost(new Pauses(clock))
    this.authorizer = authorizerBindings(attributes, authorize)
    this.#find = namespace
  }

  /** The namespace of the request, read once. */
  readonly findNamespace: FindNamespace = (name, signal) => {
    if (this.#namespace) return this.#namespace
    const found = this.#find(name, signal)
    const keep = (known: core.Namespace | undefined): core.Namespace | undefined => (this.#namespace = known)
    return found instanceof Promise ? found.then(keep) : keep(found)
  };

  /**
   * `namespaceObject`: null for objects outside of namespaces, and for namespaces. Throws 404 for a missing namespace.
   */
  *namespaceObject(): Steps<core.Namespace | null> {
    const { namespace, kind, signal } = this.attributes
    if (namespace === '' || (kind.kind === 'Namespace' && kind.group === '' && kind.version === 'v1')) return null
    const found = yield* awaited(this.findNamespace(namespace, signal))
    if (!found) throw statusErrors.notFound({ group: '', resource: 'namespaces' }, namespace)
    return found
  }

  /** The view in the request's own form, without waiting; undefined for other forms. */
  ownView(form: ServedForm): View | undefined {
    const { kind, resource } = this.attributes
    const { version, group } = form.resource
    if (version !== resource.version || group !== resource.group || form.kind.version !== kind.version) return undefined
    return (this.#own ??= this.#make(form))
  }

  /** The view in another form, which may wait for conversions. */
  *otherView(form: ServedForm): Steps<View> {
    const { version, group } = form.resource
    const key = `${group}/${version} ${form.kind.group}/${form.kind.version}`
    let view = this.#views.get(key)
    if (!view) {
      view = yield* awaited(withConversions(() => this.#make(form)))
      this.#views.set(key, view)
    }
    return view
  }

  #make(form: ServedForm): View {
    const { converted, attributes } = this
    let request: AdmissionRequest | undefined
    return {
      object: toValue(types.dyn, converted.object(form) ?? null),
      oldObject: toValue(types.dyn, converted.oldObject(form) ?? null),
      request: () => (request ??= admissionRequest(attributes, form)),
      shared: new SharedOutcomes(viewBindings),
    }
  }

  /** A policy has changed the object. */
  changed(): void {
    this.converted.changed()
    this.#own = undefined
    this.#views.clear()
  }
}
