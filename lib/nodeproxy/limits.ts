/** A connection to a container is closed after this time without data; kubelets have the same limit. */
export const streamIdleMs = 4 * 3600_000
/** A runtime may take a while before a kubelet changes the protocol. */
export const upgradeTimeoutMs = 3 * 60_000
