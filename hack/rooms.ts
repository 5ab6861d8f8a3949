/** The layer table: the rooms of `lib/` from the bottom up. A room imports rooms of lower rows only (hack/layers.ts). */
export const rows: readonly (readonly string[])[] = [
  ['base', 'pki'],
  ['object', 'schema', 'features', 'http2', 'spdy', 'tar'],
  ['codec', 'scheme', 'cel', 'apply', 'request', 'flags', 'egress'],
  ['kinds', 'quota', 'storage', 'client', 'observe'],
  ['cache', 'authn', 'authz', 'admission', 'fairness', 'audit', 'controller', 'storetools', 'proxy'],
  ['registry', 'controllers', 'hollownode', 'scheduler'],
  ['endpoints', 'allocation', 'discovery', 'openapi'],
  ['crd', 'aggregation', 'nodeproxy'],
  ['server', 'peers', 'console'],
  ['controlplane'],
]
