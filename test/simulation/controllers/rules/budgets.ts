import type { Pod } from '../../../../api/gen/core/v1.ts'
import type { PodDisruptionBudget } from '../../../../api/gen/policy/v1.ts'
import { resources } from '../../../../api/gen/resources.ts'
import { controllerOf, keyOf } from '../../../../lib/controller/index.ts'
import type { Frozen } from '../../../../lib/object/index.ts'
import { isReady, type View } from '../view.ts'
import { Violation } from '../violation.ts'
import { amountOf } from './workloads.ts'

const { poddisruptionbudgets } = resources.policy.v1
const { deployments, replicasets, statefulsets } = resources.apps.v1

/** No eviction is granted that leaves fewer healthy pods than a budget wants. */
export class BudgetRules {
  readonly #view: View

  constructor(view: View) {
    this.#view = view
  }

  evicting(pod: Frozen<Pod>): () => void {
    const { namespace, labels } = pod.metadata
    const app = labels?.['app']
    if (!isReady(pod)) return () => {}
    const view = this.#view
    const isGuarded = (each: Frozen<Pod>): boolean =>
      each.metadata.namespace === namespace && each.metadata.labels?.['app'] === app
    const pods = view.truth.all(resources.core.v1.pods).filter(isGuarded)
    const healthy = pods.filter(isReady).length - 1
    // Pods that went by another way may have been counted still.
    const counted = new Set(
      Array.from(view.seenReady(), (lost) => lost.pod)
        .filter(isGuarded)
        .map(({ metadata }) => metadata.uid),
    ).size
    const wrong: string[] = []
    for (const budget of view.truth.all(poddisruptionbudgets)) {
      if (budget.metadata.namespace !== namespace || budget.spec.selector?.matchLabels?.['app'] !== app) continue
      const versions = view.versions(poddisruptionbudgets, budget.metadata.uid ?? '')
      const least = Math.min(...versions.map((version) => this.#desired(version, pod, pods.length)))
      if (healthy + counted < least)
        wrong.push(`${keyOf(pod)} is evicted, which leaves ${healthy} of ${least} that ${keyOf(budget)} wants`)
    }
    return () => {
      if (wrong[0] !== undefined) throw new Violation(wrong[0])
    }
  }

  #desired(
    { spec: { minAvailable, maxUnavailable } }: Frozen<PodDisruptionBudget>,
    pod: Frozen<Pod>,
    pods: number,
  ): number {
    if (typeof minAvailable === 'number') return minAvailable
    const replicas = this.#replicas(pod) ?? pods
    if (minAvailable !== undefined) return amountOf(minAvailable, replicas)
    return Math.max(0, replicas - amountOf(maxUnavailable ?? 1, replicas))
  }

  /** The fewest that the pod's owner may have been seen to want. */
  #replicas(pod: Frozen<Pod>): number | undefined {
    const owner = controllerOf(pod)
    if (!owner) return undefined
    const set = this.#view.truth.byUid(owner.uid)
    const above = set && controllerOf(set)
    const [type, uid] =
      above?.kind === 'Deployment'
        ? ([deployments, above.uid] as const)
        : ([owner.kind === 'StatefulSet' ? statefulsets : replicasets, owner.uid] as const)
    const versions = this.#view.versions(type as typeof deployments, uid)
    return versions.length === 0 ? undefined : Math.min(...versions.map(({ spec }) => spec.replicas ?? 1))
  }
}
