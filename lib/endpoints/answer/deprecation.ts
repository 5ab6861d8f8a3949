import type { Gauge } from '../../base/index.ts'
import { formatGroupVersion, type GroupVersionKind, type GroupVersionResource } from '../../object/index.ts'
import type { Call } from '../../request/index.ts'
import type { ResourceTable } from '../../schema/index.ts'

/** Tells clients, auditors and operators of the use of a deprecated version. */
export interface Deprecation {
  note(call: Call): void
}

/** Undefined: the resource is not deprecated in `release` (`major.minor`). */
export function deprecationOf(
  { gvr, gvk, table }: { gvr: GroupVersionResource; gvk: GroupVersionKind; table: ResourceTable },
  release: string,
  used: Gauge,
): Deprecation | undefined {
  const { deprecated, removed = '', replacement } = table
  if (deprecated === undefined || isAfter(deprecated, release)) return undefined
  const text = [
    `${formatGroupVersion(gvk)} ${gvk.kind} is deprecated in v${deprecated}+`,
    removed === '' ? '' : `, unavailable in v${removed}+`,
    replacement === undefined ? '' : `; use ${replacement}`,
  ].join('')
  return deprecationText({ gvr, removed }, text, used)
}

/** A deprecated version whose users are told `text`. `removed`: the release that no longer has it, or ''. */
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

function isAfter(a: string, b: string): boolean {
  const [majorA = 0, minorA = 0] = a.split('.').map(Number)
  const [majorB = 0, minorB = 0] = b.split('.').map(Number)
  return majorA !== majorB ? majorA > majorB : minorA > minorB
}
