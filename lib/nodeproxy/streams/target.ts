import type { Kubelet } from '../kubelet/kubelets.ts'

/** The end of a stream at a kubelet. */
export interface StreamTarget {
  readonly kubelet: Kubelet
  /** With the query. */
  readonly path: string
}
