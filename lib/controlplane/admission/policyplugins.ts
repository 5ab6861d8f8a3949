import {
  type AvailablePlugin,
  createMutatingAdmissionPolicy,
  createValidatingAdmissionPolicy,
  mutatingPolicies,
  type PolicySetDependencies,
  type Reinvocation,
  validatingPolicies,
} from '../../admission/index.ts'
import { followCache } from '../../cache/index.ts'
import { createPolicyEnvironments } from '../../kinds/index.ts'
import type { ApiObject } from '../../object/index.ts'
import type { ServedGroups } from '../../schema/index.ts'
import type { ApiserverConfig } from '../config.ts'
import type { AdmissionServices } from './admission.ts'
import type { FromFiles } from './fromfiles.ts'
import { createParamSources } from './paramsources.ts'
import type { RequestServices } from './requestservices.ts'

const group = 'admissionregistration.k8s.io'

/** The followed policies and bindings of one kind. */
interface FollowedPolicies {
  setPolicy(object: ApiObject): void
  removePolicy(name: string): void
  setBinding(object: ApiObject): void
  removeBinding(name: string): void
  readonly compiling: Promise<void> | undefined
}

/** Policies that clients write, and those from files. */
export function policyPlugins(
  { gates }: ApiserverConfig,
  services: AdmissionServices &
    RequestServices & { readonly fromFiles: FromFiles; readonly reinvocation: Reinvocation },
): AvailablePlugin[] {
  const { registry, opened, fromFiles } = services

  /** Undefined once all stored ones are loaded and compiled. */
  function follow(policies: FollowedPolicies, plural: string): () => Promise<void> | undefined {
    const followed = [
      {
        resource: `${plural}policies`,
        set: (object: ApiObject) => policies.setPolicy(object),
        remove: (_namespace: string, name: string) => policies.removePolicy(name),
      },
      {
        resource: `${plural}policybindings`,
        set: (object: ApiObject) => policies.setBinding(object),
        remove: (_namespace: string, name: string) => policies.removeBinding(name),
      },
    ].flatMap(({ resource, ...listener }) => {
      const stored = registry.resource({ group, resource })
      if (!stored) return []
      const follower = followCache(services, stored.cache, listener)
      opened.defer(() => follower.close())
      return [follower.ready]
    })
    let pending: Promise<void> | undefined = Promise.all(followed).then(() => policies.compiling)
    pending.then(() => (pending = undefined)).catch(() => {})
    return () => pending
  }

  function dependenciesOf(patches: boolean): PolicySetDependencies {
    return { ...services, params: createParamSources(services), environments: createPolicyEnvironments({ patches }) }
  }

  return [
    {
      name: 'MutatingAdmissionPolicy',
      // On by default when its group is served, which requires an explicit setting.
      onByDefault: gates.gate('MutatingAdmissionPolicy') || isServed(services.served, 'mutatingadmissionpolicies'),
      create() {
        const dependencies = dependenciesOf(true)
        const policies = mutatingPolicies(dependencies)
        const loading = follow(policies, 'mutatingadmission')
        const policiesFromFiles = fromFiles.mutatingPolicies
        return createMutatingAdmissionPolicy({ ...services, ...dependencies, policies, policiesFromFiles, loading })
      },
    },
    {
      name: 'ValidatingAdmissionPolicy',
      onByDefault: true,
      create() {
        const dependencies = dependenciesOf(false)
        const policies = validatingPolicies(dependencies)
        const loading = follow(policies, 'validatingadmission')
        const policiesFromFiles = fromFiles.validatingPolicies
        return createValidatingAdmissionPolicy({ ...services, ...dependencies, policies, policiesFromFiles, loading })
      },
    },
  ]
}

function isServed(served: ServedGroups, plural: string): boolean {
  const versions = served.group(group)?.versions ?? []
  return versions.some(({ resources }) => resources.some((each) => each.plural === plural))
}
