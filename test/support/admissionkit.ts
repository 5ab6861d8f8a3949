import type { AdmissionOperation, AdmissionPlugin } from '../../lib/admission/index.ts'
import type { ApiObject } from '../../lib/object/index.ts'
import type { UserInfo } from '../../lib/request/index.ts'

/** An object `x` in the namespace `ns`, as decoding would leave it. */
export function make(kind: string, spec: object, metadata: object = {}): ApiObject {
  return { apiVersion: 'v1', kind, metadata: { name: 'x', namespace: 'ns', ...metadata }, spec: spec as never }
}

export interface Admitted {
  readonly operation?: AdmissionOperation
  readonly oldObject?: ApiObject | undefined
  readonly subresource?: string
  readonly name?: string
  readonly user?: UserInfo
  readonly dryRun?: boolean
  readonly warnings?: string[]
  readonly annotations?: Record<string, string>
}

const nobody: UserInfo = { name: 'u', uid: '', groups: [], extra: {} }

/** Passes a write through both phases of a plugin; `on` is `pods` or `ingresses.networking.k8s.io`. Answers the object. */
export async function admit(
  plugin: AdmissionPlugin,
  on: string,
  object: ApiObject,
  { operation = 'CREATE', oldObject, subresource = '', name = 'x', user = nobody, ...more }: Admitted = {},
): Promise<ApiObject> {
  const [resource = '', ...group] = on.split('.')
  const attributes = {
    operation,
    kind: { group: group.join('.'), version: 'v1', kind: object.kind },
    resource: { group: group.join('.'), version: 'v1', resource },
    subresource,
    namespace: 'ns',
    name,
    user,
    dryRun: more.dryRun ?? false,
    object,
    oldObject,
    options: undefined,
    signal: AbortSignal.timeout(10_000),
    warn: (text: string) => void more.warnings?.push(text),
    annotate: (key: string, value: string) => void (more.annotations && (more.annotations[key] = value)),
  }
  if (!plugin.handles(operation)) return object
  await plugin.mutate?.(attributes)
  await plugin.validate?.(attributes)
  return object
}
