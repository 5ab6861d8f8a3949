import type * as v1 from '../../../../api/gen/apiextensions.k8s.io/v1.ts'
import type * as v1beta1 from '../../../../api/gen/apiextensions.k8s.io/v1beta1.ts'
import type { ApiObject } from '../../../object/index.ts'

export function defaultV1(object: ApiObject): void {
  const spec = object['spec'] as v1.CustomResourceDefinitionSpec
  const status = (object['status'] ??= {}) as v1.CustomResourceDefinitionStatus
  defaultNames(spec.names)
  defaultStoredVersions(status, spec.versions)
  const conversion = (spec.conversion ??= { strategy: 'None' })
  const service = conversion.webhook?.clientConfig?.service
  if (service) service.port ??= 443
}

/** Servers of all releases store objects as v1beta1. */
export function defaultV1beta1(object: ApiObject): void {
  const spec = object['spec'] as v1beta1.CustomResourceDefinitionSpec
  const status = (object['status'] ??= {}) as v1beta1.CustomResourceDefinitionStatus
  spec.scope ||= 'Namespaced'
  defaultNames(spec.names)
  if (!spec.versions?.length && spec.version) spec.versions = [{ name: spec.version, storage: true, served: true }]
  spec.version ||= spec.versions?.[0]?.name ?? ''
  defaultStoredVersions(status, spec.versions)
  const conversion = (spec.conversion ??= { strategy: 'None' })
  if (conversion.strategy === 'Webhook' && !conversion.conversionReviewVersions?.length)
    conversion.conversionReviewVersions = ['v1beta1']
  const service = conversion.webhookClientConfig?.service
  if (service) service.port ??= 443
  spec.preserveUnknownFields ??= true
}

function defaultNames(names: v1.CustomResourceDefinitionNames): void {
  if (names.kind === '') return
  names.singular ||= names.kind.toLowerCase()
  names.listKind ||= `${names.kind}List`
}

function defaultStoredVersions(
  status: { storedVersions?: string[] },
  versions: readonly { name: string; storage: boolean }[] | undefined,
): void {
  if (status.storedVersions?.length) return
  const stored = versions?.find(({ storage }) => storage)
  if (stored) status.storedVersions = [stored.name]
}
