import type { PostStartHook } from '../../server/index.ts'

/** When each part of the server has loaded its objects. */
interface StartedParts {
  /** The watch caches, which admission and all controllers in the server read. */
  readonly caches: Promise<void>
  /** As `caches`. Absent: the emulated release has no check of it. */
  readonly storage: Promise<void> | undefined
  readonly customResources: Promise<void>
  /** Absent: no other servers are aggregated. */
  readonly aggregation: Promise<void> | undefined
}

/** The stock server's names of the hooks that start each part. */
const names: Readonly<Record<keyof StartedParts, readonly string[]>> = {
  caches: [
    'start-apiserver-admission-initializer',
    'generic-apiserver-start-informers',
    'storage-object-count-tracker-hook',
  ],
  storage: ['storage-readiness'],
  customResources: ['start-apiextensions-informers', 'start-apiextensions-controllers', 'crd-informer-synced'],
  aggregation: [
    'start-kube-aggregator-informers',
    'apiservice-status-local-available-controller',
    'apiservice-status-remote-available-controller',
    'apiservice-registration-controller',
    'apiservice-wait-for-first-sync',
    'apiservice-discovery-controller',
    'apiservice-openapi-controller',
    'apiservice-openapiv3-controller',
  ],
}

/**
 * Hooks for the parts that the stock server starts after it listens. Here these parts start before that, so that no
 * request is answered without them; probes and conformance tests still find each check by its name.
 */
export function stockStartHooks(parts: StartedParts): PostStartHook[] {
  return (Object.keys(names) as (keyof StartedParts)[]).flatMap((part) => {
    const begun = parts[part]
    return begun ? names[part].map((name) => ({ name, run: () => begun })) : []
  })
}
