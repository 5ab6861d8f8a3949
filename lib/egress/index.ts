// egress: connections to networks that this server reaches through a proxy, as --egress-selector-config-file configures
// them. Invariant: what is configured to go through a proxy never goes around it. Must not know what is sent over a
// connection, nor which clients there are: they get a Dialer, or none where connections are direct.
export { type Dialer, directEgress, type Egress } from './contract.ts'
export { createEgress } from './createegress.ts'
export { selectionProblems } from './selectionproblems.ts'
