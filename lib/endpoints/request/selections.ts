import type { Equality, Predicate } from '../../cache/index.ts'
import type { KindDefinition } from '../../kinds/index.ts'
import {
  type FieldSelector,
  type GroupVersionKind,
  type LabelRequirement,
  type LabelSelector,
  parseFieldSelector,
  parseLabelSelector,
  statusErrors,
  transformFieldSelector,
} from '../../object/index.ts'
import type { ListRequestOptions } from '../../request/index.ts'
import type { ResourceTable } from '../../schema/index.ts'
import { parseShardSelector, type ShardSelector } from './shardselector.ts'

/** A resource in a version, for its selectors. */
interface Selectable {
  readonly gvk: GroupVersionKind
  readonly table: ResourceTable
  readonly kind: KindDefinition
}

/** The selectors of a request, as sent; '' for none. */
type Selectors = Pick<ListRequestOptions, 'labelSelector' | 'fieldSelector' | 'shardSelector'>

/** The parsed selectors of a request. */
export interface Selection {
  /** Undefined: everything. */
  readonly predicate: Predicate | undefined
  /** The only name or namespace that the field selector allows, if it does. */
  readonly name: string | undefined
  readonly namespace: string | undefined
  /** No field selector. */
  readonly everyField: boolean
}

/** The selections of one resource; equal texts give the same one, so that the cache can serve watchers together. */
export interface Selections {
  /** Throws 400 for invalid selectors, and for fields that the kind can't be selected by. */
  select(selectors: Selectors): Selection
}

const selectionsMax = 512
/** Longer selectors are not cached, so that clients can't fill the memory with them. */
const rememberedCharactersMax = 1024
const everything: Selection = { predicate: undefined, name: undefined, namespace: undefined, everyField: true }

export function createSelections(about: Selectable): Selections {
  const known = new Map<string, Selection>()
  return {
    select(selectors) {
      const { labelSelector, fieldSelector, shardSelector } = selectors
      if (labelSelector === '' && fieldSelector === '' && shardSelector === '') return everything
      const key = `${labelSelector}\n${fieldSelector}\n${shardSelector}`
      let selection = known.get(key)
      if (!selection) {
        selection = parseSelection(selectors, about)
        if (key.length <= rememberedCharactersMax) {
          if (known.size >= selectionsMax) known.clear()
          known.set(key, selection)
        }
      }
      return selection
    },
  }
}

function parseSelection(selectors: Selectors, about: Selectable): Selection {
  const labelSelector = parsed(() => parseLabelSelector(selectors.labelSelector))
  const fieldSelector = parsed(() => canonicalFields(parseFieldSelector(selectors.fieldSelector), about))
  return {
    predicate: predicateOf(labelSelector, fieldSelector, shardOf(selectors)),
    name: fieldSelector.exactMatch('metadata.name'),
    namespace: fieldSelector.exactMatch('metadata.namespace'),
    everyField: fieldSelector.empty,
  }
}

function shardOf({ shardSelector }: Selectors): ShardSelector | undefined {
  if (shardSelector === '') return undefined
  try {
    return parseShardSelector(shardSelector)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw statusErrors.badRequest(`invalid shard selector: ${why}`, error)
  }
}

function parsed<Selector>(parse: () => Selector): Selector {
  try {
    return parse()
  } catch (error) {
    throw statusErrors.badRequest(error instanceof Error ? error.message : String(error), error)
  }
}

function canonicalFields(selector: FieldSelector, about: Selectable): FieldSelector {
  const { table, kind } = about
  const allowed = hasOwnFields(about) ? (table.fieldSelectors ?? metadataFields) : metadataFields
  return transformFieldSelector(selector, (field, value) => {
    if (!allowed.includes(field)) throw new Error(unknownLabel(field, about))
    return { field: kind.fieldSelectorAliases?.[field] ?? field, value }
  })
}

const metadataFields = ['metadata.name', 'metadata.namespace']

/**
 * Whether the kind has selectable fields of its own; all others have both of the metadata, although a cluster-scoped
 * object's namespace is empty.
 */
function hasOwnFields({ table, kind }: Selectable): boolean {
  return (
    kind.unknownFieldLabel !== undefined ||
    !(table.fieldSelectors ?? []).every((field) => metadataFields.includes(field))
  )
}

function unknownLabel(label: string, about: Selectable): string {
  const { kind, gvk } = about
  if (kind.unknownFieldLabel) return kind.unknownFieldLabel(label, gvk)
  if (hasOwnFields(about)) return `field label not supported: ${label}`
  return `"${label}" is not a known field selector: only "metadata.name", "metadata.namespace"`
}

function predicateOf(
  labels: LabelSelector,
  fields: FieldSelector,
  shard: ShardSelector | undefined,
): Predicate | undefined {
  if (labels.empty && fields.empty && !shard) return undefined
  const name = fields.exactMatch('metadata.name')
  // Every key ends with the object's name: this excludes nearly all entries without reading them.
  const keyEnd = name === undefined || name === '' ? '' : `/${name}`
  return {
    key: `${labels.toString()}\n${fields.toString()}\n${shard?.key ?? ''}`,
    matches: (entry) =>
      entry.key.endsWith(keyEnd) &&
      (labels.empty || labels.matches(entry.labels())) &&
      (fields.empty || fields.matches(entry.fields())) &&
      (!shard || shard.includes(entry)),
    equals: equalitiesOf(labels, fields),
  }
}

/** Maximum number of equalities that indexes are asked for, of any number of requirements. */
const equalitiesMax = 8

function equalitiesOf(labels: LabelSelector, fields: FieldSelector): readonly Equality[] {
  const equalities: Equality[] = []
  // A missing field counts as empty: no index has it.
  for (const { field, operator, value } of fields.requirements)
    if (operator === '=' && value !== '') equalities.push({ of: 'field', name: field, value })
  for (const { key, values } of labels.requirements.filter(isEquality))
    for (const value of values) equalities.push({ of: 'label', name: key, value })
  return equalities.slice(0, equalitiesMax)
}

/** A set of one value is an equality, too. */
function isEquality({ operator, values }: LabelRequirement): boolean {
  return operator === '=' || operator === '==' || (operator === 'in' && values.length === 1)
}
