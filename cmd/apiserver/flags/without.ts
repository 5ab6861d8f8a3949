/** Why flags that every Kubernetes operator knows change nothing here; each goes when its part is built. */
export const without = {
  aggregation: 'aggregated API servers are not served yet',
  egress: 'outgoing connections are made directly',
  emulation: 'only the release that is built in is served',
  fairness: 'requests are limited by --max-requests-inflight and --max-mutating-requests-inflight',
  fixed: 'this server keeps that in its own way',
  kubelet: 'connections to nodes are not made yet',
  tokens: 'keys are read from files',
  tracing: 'traces are not exported yet',
} as const
