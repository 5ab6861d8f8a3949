import { createHash } from 'node:crypto'
import type { Environment } from '../cel/index.ts'
import type { StructCodec } from '../codec/index.ts'
import type { Resources } from '../endpoints/index.ts'
import type { KindDefinition } from '../kinds/index.ts'
import { type ApiObject, formatGroupVersion, type GroupVersion, type GroupVersionResource } from '../object/index.ts'
import type { Registry, ResourceRegistry } from '../registry/index.ts'
import { compareVersions } from '../schema/index.ts'
import type { ObjectCodec, ResourceDefinition } from '../scheme/index.ts'
import { type CodecSource, createCustomCodec } from './codec.ts'
import { coerce } from './coerce.ts'
import { columnReadsOf, columnsOf } from './columns.ts'
import { type ConversionDependencies, createWebhookConversion, type WebhookConversion } from './conversion/webhook.ts'
import { CustomMetadata } from './custommetadata.ts'
import type { Version } from './definition/definition.ts'
import { type DefinitionSummary, listedTableOf, tableOf, versionOf } from './definitionsummary.ts'
import { createCustomKind, type KindSource } from './kind.ts'
import { publishedSchemaOf } from './openapi.ts'
import { scaleAccessOf } from './scale.ts'
import { anySchema } from './schema/compile.ts'
import type { RuleMeter } from './schema/rulemeter.ts'
import { opaqueStruct } from './schema/typed.ts'
import { createVersionSchema, type VersionSchema } from './schema/versionschema.ts'

export interface MountDependencies {
  readonly registry: Registry
  readonly resources: Resources
  readonly environment: Environment
  readonly meter: RuleMeter
  /** The codec of all objects' metadata. */
  readonly metadata: StructCodec
  readonly storesCbor: boolean
  readonly conversion: ConversionDependencies
}

/** One definition's resource, while its objects are stored below one prefix with one scope and kind. */
export class MountedDefinition {
  readonly #dependencies: MountDependencies
  readonly #codec: ObjectCodec
  readonly #kind: KindDefinition
  #codecSource: CodecSource
  #kindSource: KindSource
  #summary: DefinitionSummary
  readonly #schemas = new Map<string, VersionSchema>()
  #isUsed = false
  #conversion: WebhookConversion | undefined
  #registry: ResourceRegistry | undefined
  #mounted: readonly string[] = []

  constructor(summary: DefinitionSummary, dependencies: MountDependencies) {
    this.#summary = summary
    this.#dependencies = dependencies
    this.#codecSource = this.#describeCodec()
    this.#kindSource = this.#describeKind()
    this.#codec = createCustomCodec(() => this.#codecSource, dependencies.metadata)
    this.#kind = createCustomKind(() => this.#kindSource, this.#codec)
  }

  get summary(): DefinitionSummary {
    return this.#summary
  }

  get registry(): ResourceRegistry | undefined {
    return this.#registry
  }

  isMounted(version: string): boolean {
    return this.#mounted.includes(version)
  }

  /**
   * Whether the definition's new state has the same objects and every version that is watched, and converts by the same
   * means: watches that select do so before or after the conversion.
   */
  continues(next: DefinitionSummary): boolean {
    const now = this.#summary
    return (
      next.uid === now.uid &&
      next.namespaced === now.namespaced &&
      (next.webhook === undefined) === (now.webhook === undefined) &&
      next.names.kind === now.names.kind &&
      next.names.listKind === now.names.listKind &&
      this.#mounted.every((name) => next.versions.some((version) => version.name === name && version.served))
    )
  }

  /** Mounts every served version. Resolves once requests can be answered. */
  async mount(): Promise<void> {
    const registry = this.#attach()
    await registry.cache.whenReady()
    this.#mountVersions(registry)
  }

  /** Continues with the definition's new state; open watches continue. */
  update(next: DefinitionSummary): void {
    const before = this.#summary
    const isChanged = next.generation !== before.generation
    const isSame =
      !isChanged && next.isEstablished === before.isEstablished && next.isTerminating === before.isTerminating
    this.#summary = next
    if (isChanged) {
      this.#schemas.clear()
      this.#closeConversion()
      this.#codecSource = this.#describeCodec()
      this.#registry?.cache.renew()
    }
    this.#kindSource = this.#describeKind()
    if (!isSame && this.#mounted.length > 0 && this.#registry) this.#mountVersions(this.#registry)
  }

  /** Ends all watches; stored objects stay. */
  unmount(): void {
    for (const version of this.#mounted) this.#dependencies.resources.unmount(this.#gvr(version))
    this.#mounted = []
    this.#dependencies.registry.remove(this.#gvr(''))
    this.#registry = undefined
    this.#closeConversion()
  }

  /** Drops schemas that were not used since the last call. */
  sweep(): void {
    if (!this.#isUsed) this.#schemas.clear()
    this.#isUsed = false
  }

  #closeConversion(): void {
    this.#conversion?.close()
    this.#conversion = undefined
  }

  #describeCodec(): CodecSource {
    const { group, names, namespaced, storageVersion, sharedSchema, largeDefaults, versions, webhook } = this.#summary
    const about = {
      group,
      kind: names.kind,
      namespaced,
      storageVersion,
      sharedSchema,
      largeDefaults,
      storesCbor: this.#dependencies.storesCbor,
      servedVersions: versions.filter(({ served }) => served).map((version) => version.name),
      schema: (version: string) => this.#schema(version),
    }
    if (!webhook) return about
    const metadata = new CustomMetadata(this.#dependencies.metadata)
    const bring = (object: ApiObject, { version }: GroupVersion): void =>
      coerce(object, this.#schema(version)?.root ?? anySchema, metadata)
    const conversion = createWebhookConversion(this.#summary, webhook, this.#dependencies.conversion, bring)
    this.#conversion = conversion
    return { ...about, conversion }
  }

  #describeKind(): KindSource {
    const { group, names, isTerminating, versions, selectableFields, selectableReads } = this.#summary
    const byName = new Map(versions.map((version) => [version.name, version]))
    return {
      group,
      plural: names.plural,
      kind: names.kind,
      isTerminating,
      version: (name) => byName.get(name),
      schema: (version) => this.#schema(version),
      selectableFields,
      selectableReads,
    }
  }

  #gvr(version: string): GroupVersionResource {
    return { group: this.#summary.group, version, resource: this.#summary.names.plural }
  }

  #schema(version: string): VersionSchema | undefined {
    this.#isUsed = true
    const known = this.#schemas.get(version)
    if (known) return known
    const stored = versionOf(this.#summary, version)
    if (!stored) return undefined
    const { names, group, preserveUnknownFields } = this.#summary
    const { environment, meter, metadata } = this.#dependencies
    const schema = createVersionSchema(stored.schema?.openAPIV3Schema, `${group}/${version}.${names.kind}`, {
      environment,
      meter,
      metadata: metadata.struct,
      keepsUnknown: preserveUnknownFields,
    })
    this.#schemas.set(version, schema)
    return schema
  }

  #attach(): ResourceRegistry {
    if (this.#registry) return this.#registry
    const { names, group, namespaced, storageVersion } = this.#summary
    const gvr = this.#gvr(storageVersion)
    const [version = { name: storageVersion, served: true, storage: true }] = this.#summary.versions
    const table = tableOf(this.#summary, version, '')
    const definition: ResourceDefinition = {
      gvr,
      gvk: { group, version: storageVersion, kind: names.kind },
      listKind: names.listKind ?? `${names.kind}List`,
      singular: names.singular ?? '',
      namespaced,
      shortNames: names.shortNames ?? [],
      categories: names.categories ?? [],
      verbs: table.verbs,
      subresources: table.subresources ?? {},
      storage: { prefix: `${group}/${names.plural}`, version: storageVersion, hash: '' },
      hubVersion: storageVersion,
      table,
      struct: opaqueStruct,
    }
    this.#registry = this.#dependencies.registry.add(definition, this.#kind, this.#codec)
    return this.#registry
  }

  #mountVersions(registry: ResourceRegistry): void {
    const served = this.#summary.versions.filter((version) => version.served)
    for (const version of served) this.#mountVersion(registry, version)
    const names = served.map(({ name }) => name)
    for (const version of this.#mounted)
      if (!names.includes(version)) this.#dependencies.resources.unmount(this.#gvr(version))
    this.#mounted = names
  }

  #mountVersion(registry: ResourceRegistry, version: Version): void {
    const summary = this.#summary
    const { group, names, isEstablished } = summary
    const { name } = version
    const table = tableOf(summary, version, storageHash(summary))
    const { scale } = version.subresources ?? {}
    const load = (): { version: Version | undefined; preserveUnknownFields: boolean } => ({
      version: versionOf(summary, name),
      preserveUnknownFields: summary.preserveUnknownFields,
    })
    const columnReads = columnReadsOf(version.additionalPrinterColumns)
    this.#dependencies.resources.mount({
      gvr: this.#gvr(name),
      gvk: { group, version: name, kind: names.kind },
      table,
      registry,
      codec: this.#codec,
      kind: {
        ...this.#kind,
        columns: columnsOf(version.additionalPrinterColumns),
        ...(columnReads ? { columnReads } : {}),
        ...(scale ? { scale: scaleAccessOf(scale) } : {}),
      },
      published: publishedSchemaOf(summary, version, load),
      definedBy: () => this.#summary.entry,
      listed: isEstablished ? listedTableOf(summary, table) : false,
      ...(version.deprecated ? { deprecation: deprecationOf(summary, version) } : {}),
    })
  }
}

/** The stock server's hash: of the group, the storage version and the kind. */
function storageHash({ group, storageVersion, names }: DefinitionSummary): string {
  const text = `${group}/${storageVersion}/${names.kind}`
  return createHash('sha256').update(text).digest().subarray(0, 8).toString('base64')
}

/** The definition's own warning, or the stock one: it recommends the best version that is newer and not deprecated. */
function deprecationOf({ group, names, versions }: DefinitionSummary, { name, deprecationWarning }: Version): string {
  if (deprecationWarning !== undefined) return deprecationWarning
  const text = `${formatGroupVersion({ group, version: name })} ${names.kind} is deprecated`
  const [better] = versions
    .filter((version) => version.served && !version.deprecated && compareVersions(version.name, name) < 0)
    .sort((a, b) => compareVersions(a.name, b.name))
  return better ? `${text}; use ${formatGroupVersion({ group, version: better.name })} ${names.kind}` : text
}
