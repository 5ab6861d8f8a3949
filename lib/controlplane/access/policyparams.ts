import {
  type Authorizer,
  createBindingParamAccess,
  createPolicyParamAccess,
  type ParamAccess,
} from '../../authz/index.ts'
import type { ApiObject } from '../../object/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { ServedGroups } from '../../schema/index.ts'
import { createObjectReader } from '../admission/objectreader.ts'

interface PolicyParamServices {
  readonly authorizer: Authorizer
  readonly registry: Registry
  readonly served: ServedGroups
}

const group = 'admissionregistration.k8s.io'

/** From now on authors of admission policies and bindings may only use parameters that they may read. */
export function guardPolicyParams({ authorizer, registry, served }: PolicyParamServices): void {
  const resourceOf = (apiGroup: string, version: string, kind: string): string | undefined =>
    served
      .group(apiGroup)
      ?.versions.find((each) => each.version === version)
      ?.resources.find(({ table }) => table.kind === kind && table.storageVersion !== undefined)?.plural
  for (const [type, selectVerb] of [
    ['validating', 'get'],
    ['mutating', 'list'],
  ] as const) {
    const policies = createObjectReader<ApiObject>(registry, { group, resource: `${type}admissionpolicies` })
    const findPolicy = (name: string, signal: AbortSignal) => policies.live('', name, signal)
    const dependencies = { authorizer, resourceOf, findPolicy }
    install(registry, `${type}admissionpolicies`, createPolicyParamAccess(dependencies))
    install(registry, `${type}admissionpolicybindings`, createBindingParamAccess(dependencies, { selectVerb }))
  }
}

/** Versions of a resource that are not served have no registry. */
function install(registry: Registry, resource: string, access: ParamAccess): void {
  registry.resource({ group, resource })?.hook({
    async authorize(object, old, { user, signal = new AbortController().signal }) {
      const fault = await access({ user, object, old, signal })
      return fault ? [fault] : []
    },
  })
}
