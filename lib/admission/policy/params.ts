import { awaited, type Clock, type Steps } from '../../base/index.ts'
import { type ApiObject, formatGroupVersion, type GroupVersionKind, type LabelSelector } from '../../object/index.ts'
import { withConversions } from '../../scheme/index.ts'
import type { ParamReference } from './policy.ts'

/** Objects of one kind that policies use as parameters. */
export interface ParamSource {
  readonly namespaced: boolean
  /** Undefined once all stored objects are loaded. */
  loading(): Promise<void> | undefined
  get(namespace: string, name: string): ApiObject | undefined
  /** In order of their keys; for a resource without namespaces `namespace` is ''. */
  select(namespace: string, selector: LabelSelector): readonly ApiObject[]
}

/** The kinds of policies' parameters. */
export interface ParamSources {
  /** Undefined: no resource has objects of this kind. */
  source(kind: GroupVersionKind): ParamSource | undefined
  /** From now on only these kinds are needed. */
  keep(kinds: readonly GroupVersionKind[]): void
}

/** How long a request waits until the parameters of a kind are loaded. */
const loadingMsMax = 1000

/** A policy or a binding can't be evaluated; its failure policy decides. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

const noParam: readonly [null] = [null]

/** The parameters of a binding, once each; null: without a parameter. Throws ConfigurationError. */
export function* collectParams(
  source: ParamSource | undefined,
  kind: GroupVersionKind | undefined,
  reference: ParamReference | undefined,
  { namespace, clock }: { readonly namespace: string; readonly clock: Clock },
): Steps<readonly (ApiObject | null)[]> {
  if (!kind || !reference) return noParam
  const shown = `&ParamKind{APIVersion:${formatGroupVersion(kind)},Kind:${kind.kind},}`
  if (!source) throw new ConfigurationError(`paramKind kind \`${shown}\` not known`)
  const within = source.namespaced ? reference.namespace || namespace : ''
  if (source.namespaced && within === '')
    throw new ConfigurationError(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    )
  const loading = source.loading()
  if (loading && !(yield* awaited(isSoon(loading, clock))))
    throw new ConfigurationError(`paramKind kind \`${shown}\` not yet synced to use for admission`)
  if (!source.namespaced && reference.namespace !== '')
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`')
  const found = yield* awaited(withConversions(() => find(source, within, reference)))
  if (found.length === 0 && !reference.allowsNone)
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction')
  return found
}

function find(source: ParamSource, namespace: string, { name, selector }: ParamReference): readonly ApiObject[] {
  if (name !== '') {
    if (selector) throw new ConfigurationError('paramRef.name and paramRef.selector are mutually exclusive')
    const param = source.get(namespace, name)
    return param ? [param] : []
  }
  if (!selector) throw new ConfigurationError('one of name or selector must be provided')
  return source.select(namespace, selector)
}

async function isSoon(loading: Promise<void>, clock: Clock): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = clock.after(loadingMsMax, () => late.resolve(false))
  try {
    return await Promise.race([loading.then(() => true), late.promise])
  } finally {
    void timer.close()
  }
}
