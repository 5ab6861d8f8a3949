import { awaited, type Clock, type Steps } from '../../base/index.ts'
import { type ApiObject, formatGroupVersion, StatusError } from '../../object/index.ts'
import type { Candidate } from '../matching.ts'
import { isSelected, type Selectors } from '../selecting.ts'
import type { ServedForm } from '../versions.ts'
import { ConfigurationError, collectParams, type ParamSources } from './params.ts'
import type { Binding, Policy } from './policy.ts'
import type { BoundPolicy } from './policyset.ts'
import type { PolicyRequest } from './request.ts'

/** A policy to evaluate for a request, with one parameter; or the reason why it can't be evaluated. */
export type Invocation<Rules> =
  | {
      readonly policy: Policy<Rules>
      readonly binding: Binding
      readonly form: ServedForm
      readonly param: ApiObject | null
    }
  | { readonly policy: Policy<Rules>; readonly binding: Binding | undefined; readonly misconfigured: string }

/** Yields the policies that select the request, in their order, with all their parameters. */
export function* invocationsOf<Rules>(
  candidates: readonly Candidate<BoundPolicy<Rules>>[],
  request: PolicyRequest,
  { params, clock }: { readonly params: ParamSources; readonly clock: Clock },
): Steps<Invocation<Rules>[]> {
  const found: Invocation<Rules>[] = []
  let policy: Policy<Rules> | undefined
  let isWanted = false
  for (const { item, form } of candidates) {
    const { binding } = item
    if (item.policy !== policy) {
      policy = item.policy
      isWanted = selectsAll(policy) || (yield* wanted(policy, undefined, request, found))
      if (isWanted && policy.paramKind && !params.source(policy.paramKind)) {
        isWanted = false
        const { paramKind } = policy
        const shown = `${formatGroupVersion(paramKind)}, Kind=${paramKind.kind}`
        const why = `failed to find resource referenced by paramKind: '${shown}'`
        found.push({ policy, binding: undefined, misconfigured: `failed to configure policy: ${why}` })
      }
    }
    if (!isWanted) continue
    if (!selectsAll(binding) && !(yield* wanted(policy, binding, request, found))) continue
    if (!policy.paramKind) {
      found.push({ policy, binding, form, param: null })
      continue
    }
    try {
      const { namespace } = request.attributes
      const source = params.source(policy.paramKind)
      const own = yield* collectParams(source, policy.paramKind, binding.paramRef, { namespace, clock })
      for (const param of own) found.push({ policy, binding, form, param })
    } catch (error) {
      found.push({ policy, binding, misconfigured: `failed to configure binding: ${textOf(error)}` })
    }
  }
  return found
}

/** Most policies select all requests. */
function selectsAll({ selectors, broken }: Pick<Binding, 'selectors' | 'broken'>): boolean {
  return !selectors.namespaces && !selectors.objects && broken === undefined
}

/** Whether the selectors of a policy, or of one of its bindings, select the request. */
function* wanted<Rules>(
  policy: Policy<Rules>,
  binding: Binding | undefined,
  request: PolicyRequest,
  found: Invocation<Rules>[],
): Steps<boolean> {
  const { selectors, broken } = binding ?? policy
  let why = broken
  if (why === undefined) {
    try {
      return yield* selects(selectors, request)
    } catch (error) {
      why = textOf(error)
    }
  }
  const what = binding ? 'binding' : 'policy'
  found.push({ policy, binding, misconfigured: `failed to configure ${what}: ${why}` })
  return false
}

function* selects(selectors: Selectors, request: PolicyRequest): Steps<boolean> {
  const selected = isSelected(selectors, request.attributes, request.findNamespace)
  return selected instanceof Promise ? yield* awaited(selected) : selected
}

/** Other errors, such as the end of the request, are not misconfigurations. */
function textOf(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof StatusError) return error.message
  throw error
}
