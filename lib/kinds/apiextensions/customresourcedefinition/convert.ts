import type * as v1 from '../../../../api/gen/apiextensions.k8s.io/v1.ts'
import type * as v1beta1 from '../../../../api/gen/apiextensions.k8s.io/v1beta1.ts'
import { type ApiObject, copyObject, semanticEqual } from '../../../object/index.ts'

/** Fields that each version may have, and their names in the spec when all versions share one. */
const shared = {
  schema: 'validation',
  subresources: 'subresources',
  additionalPrinterColumns: 'additionalPrinterColumns',
  selectableFields: 'selectableFields',
} as const
export type Own = keyof typeof shared
export const owns = Object.keys(shared) as Own[]

/** Whether all versions have the same value. Errors are then reported at v1beta1's field for all versions. */
export function isShared(versions: readonly v1.CustomResourceDefinitionVersion[], field: Own): boolean {
  return versions.every((version) => semanticEqual(version[field] ?? null, versions[0]?.[field] ?? null))
}

export function toV1beta1(object: ApiObject): ApiObject {
  const result = copyObject(object)
  const { conversion, preserveUnknownFields = false, ...spec } = result['spec'] as v1.CustomResourceDefinitionSpec
  const versions = spec.versions ?? []
  const lifted: Record<string, unknown> = {}
  const lift = owns.filter((field) => versions.length > 0 && isShared(versions, field))
  for (const field of lift) {
    const value = versions[0]?.[field]
    if (value !== undefined) lifted[shared[field]] = field === 'additionalPrinterColumns' ? renamed(value) : value
  }
  const { group, names, scope } = spec
  result['spec'] = {
    group,
    ...(versions[0] ? { version: versions[0].name } : {}),
    names,
    scope,
    ...lifted,
    ...(spec.versions ? { versions: versions.map((version) => versionToV1beta1(version, lift)) } : {}),
    ...(conversion ? { conversion: conversionToV1beta1(conversion) } : {}),
    preserveUnknownFields,
  }
  return result
}

function versionToV1beta1(version: v1.CustomResourceDefinitionVersion, lifted: readonly Own[]): unknown {
  const kept = Object.fromEntries(Object.entries(version).filter(([field]) => !lifted.includes(field as Own)))
  const columns = kept['additionalPrinterColumns']
  return columns === undefined ? kept : { ...kept, additionalPrinterColumns: renamed(columns) }
}

/** v1beta1 spells a printer column's path in capitals. */
function renamed(columns: unknown): unknown {
  return (columns as readonly v1.CustomResourceColumnDefinition[]).map(({ jsonPath, ...column }) => ({
    ...column,
    JSONPath: jsonPath,
  }))
}

function conversionToV1beta1({ strategy, webhook }: v1.CustomResourceConversion): v1beta1.CustomResourceConversion {
  return {
    strategy,
    ...(webhook?.clientConfig ? { webhookClientConfig: webhook.clientConfig } : {}),
    ...(webhook?.conversionReviewVersions ? { conversionReviewVersions: webhook.conversionReviewVersions } : {}),
  }
}

export function fromV1beta1(object: ApiObject): ApiObject {
  const result = copyObject(object)
  const spec = result['spec'] as v1beta1.CustomResourceDefinitionSpec
  const { group, names, scope, conversion, preserveUnknownFields } = spec
  const common: Record<string, unknown> = {}
  for (const field of owns) {
    const value = spec[shared[field]]
    if (value !== undefined) common[field] = value
  }
  result['spec'] = {
    group,
    names,
    scope,
    versions: (spec.versions ?? []).map((version) => withJsonPaths({ ...version, ...common })),
    ...(conversion ? { conversion: conversionFromV1beta1(conversion) } : {}),
    ...(preserveUnknownFields === true ? { preserveUnknownFields } : {}),
  }
  return result
}

function withJsonPaths(version: Record<string, unknown>): Record<string, unknown> {
  const columns = version['additionalPrinterColumns'] as readonly v1beta1.CustomResourceColumnDefinition[] | undefined
  if (!columns) return version
  const named = columns.map(({ JSONPath: jsonPath, ...column }) => ({ ...column, jsonPath }))
  return { ...version, additionalPrinterColumns: named }
}

function conversionFromV1beta1(conversion: v1beta1.CustomResourceConversion): v1.CustomResourceConversion {
  const { strategy, webhookClientConfig: clientConfig, conversionReviewVersions } = conversion
  if (!clientConfig && !conversionReviewVersions?.length) return { strategy }
  const webhook = {
    ...(clientConfig ? { clientConfig } : {}),
    ...(conversionReviewVersions ? { conversionReviewVersions } : {}),
  }
  return { strategy, webhook }
}
