import type * as v1 from '../../../api/gen/admissionregistration.k8s.io/v1.ts'
import { isRecord } from '../../base/index.ts'
import { type Document, splitDocuments } from '../../codec/index.ts'
import { type KindContext, type KindSet, staticNameSuffix, validateMetadata } from '../../kinds/index.ts'
import {
  type ApiObject,
  type JsonObject,
  type JsonValue,
  quote,
  StatusError,
  statusErrors,
} from '../../object/index.ts'
import type { Scheme } from '../../scheme/index.ts'

const group = 'admissionregistration.k8s.io'
const apiVersion = `${group}/v1`

/** One file of a folder. */
export interface ManifestFile {
  readonly path: string
  readonly text: string
}

export interface ManifestServices {
  readonly scheme: Scheme
  readonly kinds: KindSet
  readonly context: KindContext
}

interface Manifest {
  readonly path: string
  readonly object: ApiObject
}

/**
 * The webhook configurations, or policies and bindings, of some files: YAML or JSON, several documents, or lists.
 * `kinds` are the allowed kinds. They are read strictly, with defaults, and validated like those that clients create.
 * Throws an Error of one line.
 */
export function readManifests(
  files: readonly ManifestFile[],
  kinds: readonly string[],
  services: ManifestServices,
): readonly ApiObject[] {
  const manifests = new Map<string, Manifest>()
  for (const { path, text } of files)
    for (const document of splitDocuments(Buffer.from(text)))
      for (const value of valuesOf(document, path, kinds)) {
        const object = readObject(value, path, kinds, services)
        const key = `${object.kind} ${nameOf(object, path)}`
        const known = manifests.get(key)
        if (known)
          throw new Error(
            `duplicate name ${quote(object.metadata.name ?? '')} found in file ${quote(path)} (previously seen in ${quote(known.path)})`,
          )
        manifests.set(key, { path, object })
      }
  for (const manifest of manifests.values()) checkManifest(manifest, manifests, services)
  return Array.from(manifests.values(), ({ object }) => object)
}

/** The objects of one document. */
function valuesOf({ line, content }: Document, path: string, kinds: readonly string[]): readonly JsonObject[] {
  const fail = (why: string): never => {
    throw new Error(`unable to read file ${quote(path)}${line === undefined ? '' : `, line ${line}`}: ${why}`)
  }
  if (content.is === 'failure') return fail(content.message)
  if (content.is === 'protobuf') return fail('it is neither YAML nor JSON')
  if (content.duplicates.length > 0) return fail(content.duplicates.join(', '))
  const { value } = content
  if (!isObject(value)) return fail('it is no object')
  const isList =
    (value['apiVersion'] === 'v1' && value['kind'] === 'List') ||
    (value['apiVersion'] === apiVersion && kinds.some((kind) => value['kind'] === `${kind}List`))
  if (!isList) return [value]
  const unknown = Object.keys(value).find((name) => !['apiVersion', 'kind', 'metadata', 'items'].includes(name))
  if (unknown !== undefined) return fail(`unknown field ${quote(unknown)}`)
  const { items = [] } = value
  return Array.isArray(items) && items.every(isObject) ? items : fail('items must be a list of objects')
}

function isObject(value: JsonValue): value is JsonObject {
  return isRecord(value)
}

function readObject(
  value: JsonObject,
  path: string,
  kinds: readonly string[],
  { scheme }: ManifestServices,
): ApiObject {
  const kind = kinds.find((each) => value['kind'] === each && value['apiVersion'] === apiVersion)
  if (kind === undefined) {
    const found = `${String(value['apiVersion'])}, Kind=${String(value['kind'])}`
    throw new Error(
      `file ${quote(path)} has an object of ${found}: only ${apiVersion}, Kind=${kinds.join(' and ')} is allowed`,
    )
  }
  const { object } = inFile(path, () =>
    scheme.objects.decodeObject(
      { tree: value },
      { mediaType: 'application/json', expected: { group, version: 'v1', kind }, fieldValidation: 'Strict' },
    ),
  )
  return object
}

function inFile<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    throw new Error(`file ${quote(path)}: ${error.message.replaceAll('\n', ' ')}`, { cause: error })
  }
}

function nameOf({ metadata: { name = '' } }: ApiObject, path: string): string {
  if (name === '') throw new Error(`resource in file ${quote(path)} must have a name`)
  if (!name.endsWith(staticNameSuffix))
    throw new Error(`${quote(name)} in file ${quote(path)} must have a name ending with ${quote(staticNameSuffix)}`)
  return name
}

function checkManifest(
  { path, object }: Manifest,
  all: ReadonlyMap<string, Manifest>,
  { kinds, context, scheme }: ManifestServices,
): void {
  const definition = kinds.get(group, object.kind)
  if (!definition) throw new Error(`no kind ${quote(object.kind)}`)
  const { strategy = {}, nameRule } = definition
  const hub = scheme.objects.convert(object, { group, version: 'v1' })
  strategy.prepareForCreate?.(hub, context)
  const { name = '' } = object.metadata
  const findings = [
    ...validateMetadata(object.metadata, {
      namespaced: false,
      name: (written, prefix) => nameRule(written, prefix, context.gate),
    }),
    ...(strategy.validateCreate?.(hub, context) ?? []),
  ]
  if (findings.length > 0)
    inFile(path, () => {
      throw statusErrors.invalid({ group, kind: object.kind }, name, findings)
    })
  const why = unsupported(object, (policy) => all.has(`${object.kind.slice(0, -'Binding'.length)} ${policy}`))
  if (why !== undefined) throw new Error(`${object.kind} ${quote(name)} in file ${quote(path)}: ${why}`)
}

/** Parts that need other objects of the cluster, which may not exist yet, or which clients may change. */
function unsupported(object: ApiObject, hasPolicy: (name: string) => boolean): string | undefined {
  const { webhooks = [] } = object as Partial<v1.ValidatingWebhookConfiguration>
  for (const [index, { clientConfig }] of webhooks.entries()) {
    const at = `webhooks[${index}].clientConfig`
    if (clientConfig.service) return `${at}.service is not supported for static manifests; use clientConfig.url instead`
    if (!clientConfig.url) return `${at}.url is required for static manifests`
  }
  const spec = (object['spec'] ?? {}) as Partial<
    v1.ValidatingAdmissionPolicySpec & v1.ValidatingAdmissionPolicyBindingSpec
  >
  if (spec.paramKind) return 'spec.paramKind is not supported for static manifests'
  if (spec.paramRef) return 'spec.paramRef is not supported for static manifests'
  const { policyName } = spec
  if (policyName === undefined) return undefined
  if (!policyName.endsWith(staticNameSuffix)) return `spec.policyName must end with ${quote(staticNameSuffix)}`
  return hasPolicy(policyName)
    ? undefined
    : `binding ${quote(object.metadata.name ?? '')} references policy ${quote(policyName)} which does not exist in the manifest directory`
}
