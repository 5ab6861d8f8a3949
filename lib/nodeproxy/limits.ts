/** A connection to a container is closed when nothing has passed for so long; kubelets have the same limit. */
export const streamIdleMs = 4 * 3600_000
/** A runtime may take its time before a kubelet changes the protocol. */
export const upgradeTimeoutMs = 3 * 60_000
