import { tables } from '../../api/index.ts'
import { createFieldOwnership } from '../../lib/apply/index.ts'
import {
  type Clock,
  createSeededRandom,
  silentLogger,
  silentMetrics,
  systemClock,
  systemRandom,
} from '../../lib/base/index.ts'
import { createServiceResolver } from '../../lib/controlplane/api/serviceresolver.ts'
import { createCustomResources, createDefinitionKind } from '../../lib/crd/index.ts'
import { directEgress } from '../../lib/egress/index.ts'
import type { Resources } from '../../lib/endpoints/index.ts'
import { builtInKinds } from '../../lib/kinds/index.ts'
import type { ApiObject } from '../../lib/object/index.ts'
import { mastersGroup } from '../../lib/request/index.ts'
import { createScheme } from '../../lib/scheme/index.ts'
import { type Answer, createEndpointKit, type EndpointKit, type KitOptions } from './endpointkit.ts'
import { eventually, eventuallyEquals } from './eventually.ts'

export const definitionsUrl = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** One replica that serves custom resources. */
export interface CrdKit extends EndpointKit {
  /** Creates a definition and waits until it is established. */
  define(definition: object): Promise<ApiObject>
  /** The status of a definition, as it is now. */
  conditions(name: string): Promise<Record<string, string>>
}

/** Gates that are on in the release that is followed. */
const defaultGates = ['CustomResourceFieldSelectors', 'CRDValidationRatcheting']

interface CrdKitOptions {
  readonly wrap?: (resources: Resources) => Resources
  /** The clock of the part that follows definitions and converts. */
  readonly clock?: Clock
}

export async function createCrdKit({
  gates = [],
  wrap = (resources) => resources,
  clock = systemClock,
  ...options
}: KitOptions & CrdKitOptions = {}): Promise<CrdKit> {
  const on = [...defaultGates, ...gates]
  const kit = await createEndpointKit({
    ownership: createFieldOwnership(createScheme({ tables }).objects),
    ...options,
    gates: on,
    kinds: builtInKinds.map((kind) => (kind.kind === 'CustomResourceDefinition' ? createDefinitionKind(kind) : kind)),
    missing: (info) => custom.missing(info),
  })
  const user = { name: 'system:apiserver', uid: '', groups: [mastersGroup], extra: {} }
  const custom = createCustomResources({
    ...kit,
    egress: directEgress,
    metrics: options.metrics ?? silentMetrics,
    resolve: createServiceResolver(kit.registry, { random: systemRandom, toEndpoints: false }),
    resources: wrap(kit.resources),
    clock,
    random: createSeededRandom(7),
    log: silentLogger,
    context: (signal) => ({ user, dryRun: false, signal, warn() {} }),
    gate: (name) => on.includes(name),
  })
  await custom.ready
  await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })

  async function conditions(name: string): Promise<Record<string, string>> {
    const { json } = await kit.request('GET', `${definitionsUrl}/${name}`)
    const status = json.status as { conditions?: { type: string; status: string; reason: string }[] }
    const all = status.conditions ?? []
    return Object.fromEntries(all.map((one) => [one.type, `${one.status} ${one.reason}`]))
  }

  return {
    ...kit,
    conditions,
    async define(definition) {
      const created = await kit.request('POST', definitionsUrl, { body: definition })
      if (created.status !== 201) throw new Error(created.text)
      const name = created.json.metadata.name ?? ''
      await eventuallyEquals(async () => (await conditions(name))['Established'], 'True InitialNamesAccepted', name)
      const { group } = (definition as { spec: { group: string } }).spec
      await eventually(() => kit.served.group(group) !== undefined, `${group} is in discovery`)
      return created.json
    },
    async close() {
      custom.close()
      await kit.close()
    },
  }
}

interface Sketch {
  readonly kind?: string
  readonly group?: string
  readonly scope?: 'Namespaced' | 'Cluster'
  readonly names?: object
  /** The schema of all versions. */
  readonly schema?: object
  readonly version?: object
  readonly versions?: readonly object[]
  readonly spec?: object
}

/** A definition of things with the parts that matter to a test. */
export function definitionOf(
  sketch: Sketch = {},
): ApiObject & { spec: { versions: object[]; [field: string]: unknown } } {
  const { kind = 'Thing', group = 'example.com', scope = 'Namespaced' } = sketch
  const singular = kind.toLowerCase()
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: sketch.schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    ...sketch.version,
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${group}` },
    spec: {
      group,
      scope,
      names: { plural: `${singular}s`, singular, kind, listKind: `${kind}List`, ...sketch.names },
      versions: [...(sketch.versions ?? [version])],
      ...sketch.spec,
    },
  }
}

/** The causes of a refusal: `reason field: message`. */
export function causesOf({ json }: Answer): string[] {
  const { causes = [] } = json.details ?? {}
  return causes.map(({ reason, field, message }) => `${reason} ${field}: ${message}`)
}
