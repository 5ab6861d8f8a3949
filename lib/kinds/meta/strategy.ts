import { type ApiObject, type FieldError, nextGeneration, semanticEqual } from '../../object/index.ts'
import type { KindContext, Strategy } from '../definition.ts'

/** The main endpoint of most kinds: clients can't write status, and changes of spec are counted. */
interface SpecStrategyOptions {
  /**
   * metadata.generation starts at 1 and grows with each change of `spec` (or of the parts that `isChanged` compares).
   */
  readonly generation?: boolean
  readonly isChanged?: (object: ApiObject, old: ApiObject) => boolean
  /** False: the kind has no status. */
  readonly hasStatus?: boolean
  readonly validate: (object: ApiObject, context: KindContext) => FieldError[]
  /** In addition to `validate`, which runs on updates, too. */
  readonly validateUpdate?: (object: ApiObject, old: ApiObject, context: KindContext) => FieldError[]
  readonly prepareForCreate?: (object: ApiObject, context: KindContext) => void
  readonly prepareForUpdate?: (object: ApiObject, old: ApiObject, context: KindContext) => void
  /** Warnings about created objects, and about updates that change the generation, if the kind has one. */
  readonly warnings?: (object: ApiObject, context: KindContext) => string[]
}

export function specStrategy(options: SpecStrategyOptions): Strategy {
  const hasStatus = options.hasStatus ?? true
  const isChanged = options.isChanged ?? ((object, old) => !semanticEqual(object['spec'], old['spec']))
  const { warnings } = options
  return {
    prepareForCreate(object, context) {
      if (hasStatus) delete object['status']
      if (options.generation) object.metadata.generation = 1
      options.prepareForCreate?.(object, context)
    },
    prepareForUpdate(object, old, context) {
      if (hasStatus) keepField(object, old, 'status')
      options.prepareForUpdate?.(object, old, context)
      if (options.generation && isChanged(object, old)) object.metadata.generation = nextGeneration(old.metadata)
    },
    validateCreate: options.validate,
    validateUpdate: (object, old, context) => [
      ...options.validate(object, context),
      ...(options.validateUpdate?.(object, old, context) ?? []),
    ],
    ...(warnings
      ? {
          warningsOnCreate: warnings,
          warningsOnUpdate: (object, old, context) =>
            options.generation && object.metadata.generation === old.metadata.generation
              ? []
              : warnings(object, context),
        }
      : {}),
  }
}

/**
 * The `status` endpoint: restores the `kept` fields, labels with `keepLabels`, and with `keepMetadata` all metadata
 * except managedFields.
 */
export function statusStrategy(
  validateUpdate?: (object: ApiObject, old: ApiObject, context: KindContext) => FieldError[],
  options: { kept?: readonly string[]; keepLabels?: boolean; keepMetadata?: boolean } = {},
): Strategy {
  const kept = options.kept ?? ['spec']
  return {
    prepareForUpdate(object, old) {
      for (const field of kept) keepField(object, old, field)
      if (options.keepMetadata) keepMetadata(object, old)
      if (!options.keepLabels) return
      if (old.metadata.labels) object.metadata.labels = old.metadata.labels
      else delete object.metadata.labels
    },
    ...(validateUpdate ? { validateUpdate } : {}),
  }
}

/** Restores all metadata except managedFields. */
export function keepMetadata(object: ApiObject, old: ApiObject): void {
  const { managedFields, resourceVersion } = object.metadata
  object.metadata = {
    ...old.metadata,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(managedFields ? { managedFields } : {}),
  }
}

/** Restores a field. */
export function keepField(object: ApiObject, old: ApiObject, field: string): void {
  if (old[field] === undefined) delete object[field]
  else object[field] = old[field]
}
