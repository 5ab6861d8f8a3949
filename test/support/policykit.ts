import {
  type AdmissionOperation,
  type AdmissionPlugin,
  createValidatingAdmissionPolicy,
  type ObjectVersions,
  type ParamSource,
  type ParamSources,
  validatingPolicies,
} from '../../lib/admission/index.ts'
import { type Logger, type Metrics, silentLogger, silentMetrics, systemClock } from '../../lib/base/index.ts'
import type { AuthorizationAnswer, AuthorizationQuery } from '../../lib/cel/index.ts'
import { createPolicyEnvironments } from '../../lib/kinds/index.ts'
import { type ApiObject, type GroupVersionKind, StatusError } from '../../lib/object/index.ts'

type Fields = Readonly<Record<string, unknown>>

export interface PolicyCase {
  /** Specs by name; matchConstraints are those of config maps where none are given. */
  readonly policies: Readonly<Record<string, Fields>>
  /** By name; of the policy `p`, with the action Deny, where they say nothing else. */
  readonly bindings?: Readonly<Record<string, Fields>>
  /** Objects of the kind `v1, Kind=ConfigMap`, or of others by `apiVersion kind`. */
  readonly params?: readonly ApiObject[]
  /** Kinds of parameters that are in no namespace. */
  readonly clusterKinds?: readonly string[]
  readonly namespaces?: Readonly<Record<string, Fields>>
  readonly authorize?: (query: AuthorizationQuery) => AuthorizationAnswer | Promise<AuthorizationAnswer>
}

export interface PolicyRequestCase {
  readonly operation?: AdmissionOperation
  readonly object?: Fields
  readonly oldObject?: Fields
  /** `configmaps`, `deployments.apps`. */
  readonly on?: string
  readonly kind?: string
  readonly subresource?: string
  readonly namespace?: string
  readonly name?: string
  readonly user?: string
  readonly dryRun?: boolean
}

export interface PolicyOutcome {
  readonly code?: number
  readonly reason?: string
  readonly message?: string
  readonly causes?: readonly unknown[]
  readonly warnings: readonly string[]
  readonly annotations: Readonly<Record<string, string>>
  readonly object: ApiObject | undefined
}

const configMapRules = {
  resourceRules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
}

/** One version of everything, and deployments in two. */
const versions: ObjectVersions = {
  served: () => undefined,
  equivalents: ({ group, resource }) =>
    ['v1', 'v1beta1'].map((version) => ({
      resource: { group, version, resource },
      kind: { group, version, kind: 'Deployment' },
    })),
  convert: (object, _of, { group, version }) => ({ ...object, apiVersion: `${group}/${version}` }),
  encode: (object) => JSON.stringify(object),
  decode: (tree) => structuredClone(tree) as ApiObject,
  struct: () => undefined,
}

/** The parameters that a test holds in its hands: it may change the list. */
function paramsOf(params: readonly ApiObject[], clusterKinds: readonly string[] = []): ParamSources {
  const kinds = new Map<string, ParamSource>()
  const sourceOf = ({ group, version, kind }: GroupVersionKind): ParamSource | undefined => {
    const apiVersion = group === '' ? version : `${group}/${version}`
    const own = (): ApiObject[] => params.filter((each) => each.apiVersion === apiVersion && each.kind === kind)
    if (kind === 'Unknown') return undefined
    return {
      namespaced: !clusterKinds.includes(kind),
      loading: () => undefined,
      get: (namespace, name) =>
        own().find(({ metadata }) => metadata.name === name && (metadata.namespace ?? '') === namespace),
      select: (namespace, selector) =>
        own().filter(({ metadata }) => (metadata.namespace ?? '') === namespace && selector.matches(metadata.labels)),
    }
  }
  return {
    source(kind) {
      const key = JSON.stringify(kind)
      const source = kinds.get(key) ?? sourceOf(kind)
      if (source) kinds.set(key, source)
      return source
    },
    keep() {},
  }
}

const policyObject = (name: string, spec: Fields, generation = 1): ApiObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name, uid: name, generation },
  spec: { failurePolicy: 'Fail', matchConstraints: configMapRules, ...spec },
})

const bindingObject = (name: string, spec: Fields = {}): ApiObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: { policyName: 'p', validationActions: ['Deny'], ...spec },
})

function policyDependencies(
  { params = [], clusterKinds = [], namespaces = {}, authorize }: Partial<PolicyCase>,
  { log = silentLogger, metrics = silentMetrics }: { log?: Logger; metrics?: Metrics } = {},
) {
  const refused: AuthorizationAnswer = { allowed: false, reason: '' }
  return {
    clock: systemClock,
    log,
    metrics,
    versions,
    params: paramsOf(params, clusterKinds),
    namespace: (name: string) => {
      const found = namespaces[name] ?? (name === 'ns' ? {} : undefined)
      return found && { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...found }, spec: {}, status: {} }
    },
    authorize: () => authorize ?? (() => refused),
    loading: () => undefined,
  }
}

/** Validating policies, compiled and bound. */
export async function validatingPlugin(
  it: PolicyCase,
  options: { log?: Logger; metrics?: Metrics } = {},
): Promise<AdmissionPlugin> {
  const dependencies = policyDependencies(it, options)
  const environments = createPolicyEnvironments({ patches: false })
  const policies = validatingPolicies({ ...dependencies, environments })
  for (const [name, spec] of Object.entries(it.policies)) policies.setPolicy(policyObject(name, spec))
  for (const [name, spec] of Object.entries(it.bindings ?? { b: {} })) policies.setBinding(bindingObject(name, spec))
  await policies.compiling
  return createValidatingAdmissionPolicy({ ...dependencies, policies })
}

/** Passes a request through a plugin. */
export async function passThrough(
  plugin: AdmissionPlugin,
  {
    operation = 'CREATE',
    on = 'configmaps',
    kind = 'ConfigMap',
    subresource = '',
    namespace = 'ns',
    name = 'x',
    user = 'u',
    dryRun = false,
    ...given
  }: PolicyRequestCase = {},
): Promise<PolicyOutcome> {
  const [resource = '', ...groups] = on.split('.')
  const group = groups.join('.')
  const warnings: string[] = []
  const annotations: Record<string, string> = {}
  const objectOf = (fields: Fields | undefined): ApiObject | undefined =>
    fields && {
      apiVersion: group === '' ? 'v1' : `${group}/v1`,
      kind,
      ...fields,
      metadata: { name, ...(namespace === '' ? {} : { namespace }), ...(fields['metadata'] as object) },
    }
  const object = objectOf(given.object ?? (operation === 'DELETE' ? undefined : {}))
  const attributes = {
    operation,
    kind: { group, version: 'v1', kind },
    resource: { group, version: 'v1', resource },
    subresource,
    namespace,
    name,
    user: { name: user, uid: '', groups: [], extra: {} },
    dryRun,
    object,
    oldObject: objectOf(given.oldObject),
    options: undefined,
    signal: AbortSignal.timeout(20_000),
    warn: (text: string) => void warnings.push(text),
    annotate: (key: string, value: string) => void (annotations[key] ??= value),
  }
  try {
    await plugin.mutate?.(attributes)
    await plugin.validate?.(attributes)
    return { warnings, annotations, object }
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    const { code, reason, message, details } = error
    return { code, reason, message, causes: details?.causes ?? [], warnings, annotations, object }
  }
}
