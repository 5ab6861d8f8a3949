/** Why flags that Kubernetes operators know have no effect here; each reason is deleted when its feature is built. */
export const without = {
  leadership: 'leaders of other components are not chosen by this server yet',
  watchCache: 'reads and watches are always served from memory, and are as fresh as those of the store',
} as const
