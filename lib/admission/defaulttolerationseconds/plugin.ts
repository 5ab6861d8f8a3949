import type * as core from '../../../api/gen/core/v1.ts'
import { concernsResource } from '../concernsresource.ts'
import type { AdmissionPlugin } from '../plugin.ts'

export interface DefaultTolerationSecondsOptions {
  readonly notReadySeconds: number
  readonly unreachableSeconds: number
}

/** Lets pods stay for a while on failing nodes, unless they have such a toleration themselves. */
export function createDefaultTolerationSeconds(options: DefaultTolerationSecondsOptions): AdmissionPlugin {
  const taints: readonly (readonly [string, number])[] = [
    ['node.kubernetes.io/not-ready', options.notReadySeconds],
    ['node.kubernetes.io/unreachable', options.unreachableSeconds],
  ]
  return {
    name: 'DefaultTolerationSeconds',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    mutate(attributes) {
      if (!concernsResource(attributes, 'pods')) return
      const { spec } = attributes.object as core.Pod
      const own = spec.tolerations ?? []
      const added = taints
        .filter(([key]) => !own.some((toleration) => tolerates(toleration, key)))
        .map(([key, tolerationSeconds]) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds }))
      if (added.length > 0) spec.tolerations = [...own, ...added]
    },
  }
}

function tolerates(toleration: core.Toleration, taint: string): boolean {
  return (toleration.key || taint) === taint && (toleration.effect || 'NoExecute') === 'NoExecute'
}
