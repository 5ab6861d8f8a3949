import type { Kubelet } from '../kubelet/kubelets.ts'

/** The endpoint of a stream at a kubelet. */
export interface StreamTarget {
  readonly kubelet: Kubelet
  /** Includes the query. */
  readonly path: string
}
