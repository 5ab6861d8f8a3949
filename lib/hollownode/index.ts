// hollownode: nodes without machines: they register, renew leases, take pods through their phases, provide volumes, and
// serve the kubelet's API on loopback. Invariant: they see and change the cluster through lib/client alone, as kubelets
// do; nothing is ever run outside this process. Must not know how pods get their nodes.
export { type HollowNodesOptions } from './contract.ts'
export { createHollowNodes } from './definition.ts'
export { parseStages, stagesMax } from './stages/parse.ts'
export type { Stage, StageSource } from './stages/stage.ts'
