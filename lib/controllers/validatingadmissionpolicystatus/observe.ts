import type { ValidatingAdmissionPolicySpec } from '../../../api/gen/admissionregistration.k8s.io/v1.ts'
import { type CelType, createOpenApiTypes, type OpenApiTypes, types } from '../../cel/index.ts'
import type { Client } from '../../client/index.ts'
import { isNotFound } from '../../controller/index.ts'
import type { CheckedKind } from '../../kinds/index.ts'
import { type Frozen, formatGroupVersionKind, type GroupVersionKind, parseGroupVersion } from '../../object/index.ts'

/** The types of the kinds that a policy matches, and of its parameters. */
export interface PolicyTypes {
  readonly kinds: readonly CheckedKind[]
  readonly params: CelType | undefined
}

/** Maximum number of kinds for which one policy is checked. */
const kindsMax = 10
/** Maximum number of group versions that one rule is checked for: each group of the rule with each of its versions. */
const looksMax = 200

type Spec = Frozen<ValidatingAdmissionPolicySpec>

/** Reads the schemas of a policy's kinds from the server; kinds that it does not serve are left out. */
export async function observe(spec: Spec, client: Client, signal: AbortSignal): Promise<PolicyTypes> {
  const documents = new Documents(client, signal)
  const kinds: CheckedKind[] = []
  for (const kind of await kindsOf(spec, documents)) {
    const type = (await documents.types(kind)).kind(kind)
    if (type) kinds.push({ text: formatGroupVersionKind(kind), type })
  }
  const { apiVersion = '', kind = '' } = spec.paramKind ?? {}
  const groupVersion = parseGroupVersion(apiVersion)
  if (!spec.paramKind || !groupVersion) return { kinds, params: undefined }
  const param = { ...groupVersion, kind }
  return { kinds, params: (await documents.types(param)).kind(param) ?? types.dyn }
}

/** Rules with wildcards and subresources don't determine a kind. */
async function kindsOf({ matchConstraints }: Spec, documents: Documents): Promise<GroupVersionKind[]> {
  const found = new Map<string, GroupVersionKind>()
  let looks = 0
  for (const { apiGroups = [], apiVersions = [], resources = [] } of matchConstraints?.resourceRules ?? []) {
    if (apiGroups.includes('*') || apiVersions.includes('*')) continue
    const plain = new Set(resources.filter((resource) => !/[*/]/.test(resource)))
    for (const group of apiGroups.toSorted())
      for (const version of apiVersions.toSorted()) {
        if (++looks > looksMax) return sorted(found)
        for (const kind of await documents.kindsOf({ group, version }, plain)) {
          found.set(`${group}/${version} ${kind}`, { group, version, kind })
          if (found.size >= kindsMax) return sorted(found)
        }
      }
  }
  return sorted(found)
}

function sorted(found: ReadonlyMap<string, GroupVersionKind>): GroupVersionKind[] {
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind)
}

interface ResourceList {
  readonly resources?: readonly { readonly name: string; readonly kind: string }[]
}

/** Discovery and schemas of group versions, each read once. */
class Documents {
  readonly #client: Client
  readonly #signal: AbortSignal
  readonly #resources = new Map<string, ResourceList>()
  readonly #types = new Map<string, OpenApiTypes>()

  constructor(client: Client, signal: AbortSignal) {
    this.#client = client
    this.#signal = signal
  }

  async kindsOf(of: { group: string; version: string }, wanted: ReadonlySet<string>): Promise<string[]> {
    const path = pathOf(of)
    const list = this.#resources.get(path) ?? ((await this.#read(`/${path}`)) as ResourceList)
    this.#resources.set(path, list)
    const named = (list.resources ?? []).filter(({ name }) => wanted.has(name))
    return named.toSorted((left, right) => (left.name < right.name ? -1 : 1)).map(({ kind }) => kind)
  }

  async types(of: { group: string; version: string }): Promise<OpenApiTypes> {
    const path = pathOf(of)
    const known = this.#types.get(path) ?? createOpenApiTypes(await this.#read(`/openapi/v3/${path}`))
    this.#types.set(path, known)
    return known
  }

  async #read(url: string): Promise<unknown> {
    try {
      return await this.#client.document(url, { signal: this.#signal })
    } catch (error) {
      if (isNotFound(error)) return {}
      throw error
    }
  }
}

function pathOf({ group, version }: { group: string; version: string }): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`
}
