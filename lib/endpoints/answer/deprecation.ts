import type { Gauge } from '../../base/index.ts'
import { compareReleases, parseRelease, type Release } from '../../features/index.ts'
import { formatGroupVersion, type GroupVersionKind, type GroupVersionResource } from '../../object/index.ts'
import type { Call } from '../../request/index.ts'
import type { ResourceTable } from '../../schema/index.ts'

/** Reports the use of a deprecated version to clients, auditors and operators. */
export interface Deprecation {
  note(call: Call): void
}

/** Undefined: the resource is not deprecated in `release`. */
export function deprecationOf(
  { gvr, gvk, table }: { gvr: GroupVersionResource; gvk: GroupVersionKind; table: ResourceTable },
  release: Release,
  used: Gauge,
): Deprecation | undefined {
  const { deprecated, removed = '', replacement } = table
  if (deprecated === undefined || compareReleases(parseRelease(deprecated), release) > 0) return undefined
  const text = [
    `${formatGroupVersion(gvk)} ${gvk.kind} is deprecated in v${deprecated}+`,
    removed === '' ? '' : `, unavailable in v${removed}+`,
    replacement === undefined ? '' : `; use ${replacement}`,
  ].join('')
  return deprecationText({ gvr, removed }, text, used)
}

/** A deprecated version whose users get the warning `text`. `removed`: the release without it, or ''. */
export function deprecationText(
  { gvr, removed }: { readonly gvr: GroupVersionResource; readonly removed: string },
  text: string,
  used: Gauge,
): Deprecation {
  return {
    note(call) {
      call.warnings.add(text)
      call.audit.annotate('k8s.io/deprecated', 'true')
      if (removed !== '') call.audit.annotate('k8s.io/removed-release', removed)
      used.set([gvr.group, gvr.version, gvr.resource, call.info.subresource, removed], 1)
    },
  }
}
