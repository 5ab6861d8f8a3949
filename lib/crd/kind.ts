import { appendAll, type WorkLimit } from '../base/index.ts'
import { type KindContext, type KindDefinition, nameRules, type Strategy } from '../kinds/index.ts'
import {
  type ApiObject,
  deepEqual,
  type FieldError,
  type FieldErrorReason,
  fieldErrors,
  nextGeneration,
  parseGroupVersion,
  statusErrors,
} from '../object/index.ts'
import type { ObjectCodec } from '../scheme/index.ts'
import type { Version } from './definition/definition.ts'
import { validateScale } from './scale.ts'
import { validateEmbedded } from './schema/embedded.ts'
import { validateLists } from './schema/lists.ts'
import type { SchemaNode } from './schema/node.ts'
import { validateValue } from './schema/validate.ts'
import { rootPath, type ValuePath } from './schema/valuepath.ts'
import type { VersionSchema } from './schema/versionschema.ts'

/** The parts of a definition's current state that the rules of its kind work with. */
export interface KindSource {
  readonly group: string
  readonly plural: string
  readonly kind: string
  readonly isTerminating: boolean
  version(name: string): Version | undefined
  schema(version: string): VersionSchema | undefined
  readonly selectableFields: Readonly<Record<string, (object: ApiObject) => string>> | undefined
  /** Paths of everything that the selectable fields read. */
  readonly selectableReads: readonly string[]
}

/** The rules of a custom kind. New objects are in the version of the request, old ones in any version. */
export function createCustomKind(source: () => KindSource, codec: ObjectCodec): KindDefinition {
  const { group, kind } = source()
  const rules = new Rules(source, codec)
  return {
    group,
    kind,
    nameRule: nameRules.subdomain,
    strategy: {
      prepareForCreate: (object) => rules.prepareForCreate(object),
      prepareForUpdate: (object, old) => rules.prepareForUpdate(object, old),
      validateCreate: (object, context) => rules.validate(object, undefined, context),
      validateUpdate: (object, old, context) => rules.validate(object, old, context),
      warningsOnCreate: (object) => finalizerWarnings(object, undefined),
      warningsOnUpdate: finalizerWarnings,
    },
    subresources: { status: rules.statusStrategy() },
    get selectableFields() {
      return source().selectableFields ?? {}
    },
    get selectableReads() {
      return source().selectableReads
    },
    unknownFieldLabel: (label) => `field label not supported: ${label}`,
  }
}

class Rules {
  readonly #source: () => KindSource
  readonly #codec: ObjectCodec

  constructor(source: () => KindSource, codec: ObjectCodec) {
    this.#source = source
    this.#codec = codec
  }

  prepareForCreate(object: ApiObject): void {
    const { isTerminating, group, plural } = this.#source()
    if (isTerminating) {
      const why = 'create not allowed while custom resource definition is terminating'
      throw statusErrors.forbidden({ group, resource: plural }, object.metadata.name ?? '', why)
    }
    if (this.#hasStatus(object)) delete object['status']
    object.metadata.generation = 1
  }

  prepareForUpdate(object: ApiObject, stored: ApiObject): void {
    const { old, pairs } = this.#comparable(object, stored)
    if (!pairs.every(([now, before]) => deepEqual(now, before))) raiseGeneration(object, old)
  }

  /**
   * Keeps the status where it has an endpoint of its own; answers the fields whose change increments the generation,
   * new and old.
   */
  #comparable(
    object: ApiObject,
    stored: ApiObject,
  ): { readonly old: ApiObject; readonly pairs: readonly (readonly [now: unknown, before: unknown])[] } {
    const old = this.#likewise(stored, object)
    const hasStatus = this.#hasStatus(object)
    if (hasStatus) {
      if (old['status'] === undefined) delete object['status']
      else object['status'] = old['status']
    }
    const counts = (field: string): boolean => field !== 'metadata' && !(hasStatus && field === 'status')
    const fields = Object.keys({ ...object, ...old }).filter(counts)
    return { old, pairs: fields.map((field) => [object[field], old[field]]) }
  }

  statusStrategy(): Strategy {
    return {
      prepareForUpdate: (object, stored) => {
        const old = this.#likewise(stored, object)
        const { managedFields, resourceVersion } = object.metadata
        const { status } = object
        for (const field of Object.keys(object)) if (!Object.hasOwn(old, field)) delete object[field]
        Object.assign(object, old)
        if (status === undefined) delete object['status']
        else object['status'] = status
        object.metadata = {
          ...old.metadata,
          ...(resourceVersion === undefined ? {} : { resourceVersion }),
          ...(managedFields ? { managedFields } : {}),
        }
      },
      validateUpdate: (object, old, context) => this.#validateStatus(object, old, context),
    }
  }

  validate(object: ApiObject, stored: ApiObject | undefined, context: KindContext): FieldError[] {
    const { schema, version } = this.#of(object)
    const old = stored && this.#likewise(stored, object)
    const { root } = schema
    const errors = validateRatcheting(schema, schema.checks, object, old, context.work)
    const { scale } = version.subresources ?? {}
    if (scale) errors.push(...validateScale(scale, object))
    appendAll(errors, validateEmbedded(root, object))
    appendAll(errors, listErrors(schema, object, old, context.work))
    return withRules(errors, schema, object, old, context)
  }

  #validateStatus(object: ApiObject, stored: ApiObject, context: KindContext): FieldError[] {
    const { schema, version } = this.#of(object)
    const old = this.#likewise(stored, object)
    const node = schema.checks.properties.get('status')
    const errors =
      node && object['status'] !== undefined
        ? validateRatcheting(schema, node, object['status'], old['status'], context.work, rootPath.field('status'))
        : []
    const { scale } = version.subresources ?? {}
    if (scale) errors.push(...validateScale(scale, object, { status: true }))
    appendAll(errors, listErrors(schema, object, old, context.work))
    return withRules(errors, schema, object, old, context)
  }

  #of(object: ApiObject): { schema: VersionSchema; version: Version } {
    const name = parseGroupVersion(object.apiVersion)?.version ?? ''
    const { schema, version } = this.#source()
    const [found, compiled] = [version(name), schema(name)]
    // The definition lost the version during the request.
    if (!found || !compiled) throw statusErrors.noSuchResource()
    return { version: found, schema: compiled }
  }

  #hasStatus(object: ApiObject): boolean {
    return this.#of(object).version.subresources?.status !== undefined
  }

  /** An object in the version of another one. */
  #likewise(stored: ApiObject, { apiVersion }: ApiObject): ApiObject {
    const version = parseGroupVersion(apiVersion)
    return version ? this.#codec.convert(stored, version) : stored
  }
}

/** Validates a value by its schema; `old`: the value that an update replaces. */
function validateRatcheting(
  { patterns, meter }: VersionSchema,
  node: SchemaNode,
  value: unknown,
  old: unknown,
  work: WorkLimit,
  at: ValuePath = rootPath,
): FieldError[] {
  if (old === undefined) return validateValue(node, value, old, { patterns, work, at })
  const ratcheting = meter.ratcheting()
  const errors = validateValue(node, value, old, {
    patterns,
    work,
    at,
    equal: (one, other) => ratcheting.equal(one, other),
  })
  ratcheting.end()
  return errors
}

/** Adds the errors of the rules: they are evaluated only when all values have their types. */
function withRules(
  errors: FieldError[],
  schema: VersionSchema,
  object: ApiObject,
  old: ApiObject | undefined,
  context: KindContext,
): FieldError[] {
  if (!schema.root.below.rules) return errors
  if (errors.some(({ reason }) => blocking.has(reason))) {
    const why =
      'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation'
    return [...errors, fieldErrors.invalid('<nil>', null, why)]
  }
  const found = schema.rules.validate(object, old, context.work)
  for (const text of found.warnings) context.warn(text)
  return found.errors.length > 0 ? [...errors, ...found.errors] : errors
}

const blocking: ReadonlySet<FieldErrorReason> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])

/** Duplicate items of lists; tolerated where the list had duplicates before the update. */
function listErrors(
  { root }: VersionSchema,
  object: ApiObject,
  old: ApiObject | undefined,
  work: WorkLimit,
): FieldError[] {
  const errors = validateLists(root, object, work)
  return errors.length > 0 && old && validateLists(root, old, work).length > 0 ? [] : errors
}

function raiseGeneration({ metadata }: ApiObject, old: ApiObject): void {
  metadata.generation = nextGeneration(old.metadata)
}

const standardFinalizers = new Set(['orphan', 'foregroundDeletion', 'kubernetes'])

function finalizerWarnings({ metadata }: ApiObject, old: ApiObject | undefined): string[] {
  const before = old?.metadata.finalizers ?? []
  return (metadata.finalizers ?? [])
    .filter((name) => !before.includes(name) && !standardFinalizers.has(name) && !name.includes('/'))
    .map((name) => {
      const advice = name.includes('.') ? 'finalizer name including a path (/)' : 'domain-qualified finalizer name'
      return `metadata.finalizers: ${JSON.stringify(name)}: prefer a ${advice} to avoid accidental conflicts with other finalizer writers`
    })
}
