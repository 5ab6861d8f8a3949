import type { Transport } from '../client/index.ts'
import type { Authority } from '../pki/index.ts'
import type { StageSource } from './stages/stage.ts'

export interface HollowNodesOptions {
  readonly count: number
  /** Nodes are called `hollow-0`, `hollow-1` and so on for the prefix `hollow`. */
  readonly prefix: string
  /** Their version: `v1.33.0`. */
  readonly version: string
  /** Resources of a node in addition to the default ones, or in place of them. */
  readonly capacity?: Readonly<Record<string, string>>
  /** Signs the certificate of the kubelets' API, and those of its clients. */
  readonly authority: Authority
  /** Courses of pods and nodes beside the built-in one. */
  readonly stages?: StageSource | undefined
  /** Makes the choices of stages repeatable. */
  readonly seed?: number | undefined
  /** Sends requests as the node's own user, `system:node:<name>`. */
  connect(node: string): Transport
}

export function nodeNames(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
}
