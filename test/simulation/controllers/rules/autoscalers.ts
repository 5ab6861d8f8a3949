import type { Scale } from '../../../../api/gen/autoscaling/v1.ts'
import type { HorizontalPodAutoscaler } from '../../../../api/gen/autoscaling/v2.ts'
import { resources } from '../../../../api/gen/resources.ts'
import { keyOf, nameOf } from '../../../../lib/controller/index.ts'
import type { Frozen } from '../../../../lib/object/index.ts'
import type { Request } from '../network.ts'
import type { Write } from '../truth.ts'
import { Violation } from '../violation.ts'

const autoscalersName = nameOf(resources.autoscaling.v2.horizontalpodautoscalers)

interface Bounds {
  readonly least: number
  readonly most: number
}

/** Autoscalers set no workload to what none of theirs ever allowed. */
export class AutoscalerRules {
  /** By the workload's key. */
  readonly #bounds = new Map<string, Bounds[]>()

  begin(): void {
    this.#bounds.clear()
  }

  written({ resource, after }: Write): void {
    if (resource !== autoscalersName || !after) return
    const { metadata, spec } = after as Frozen<HorizontalPodAutoscaler>
    const key = `${metadata.namespace}/${spec.scaleTargetRef.name}`
    const known = this.#bounds.get(key) ?? []
    this.#bounds.set(key, [...known, { least: spec.minReplicas ?? 1, most: spec.maxReplicas }])
  }

  /** An autoscaler's account is about to write. */
  asked({ method, url, object }: Request): void {
    if (method !== 'PUT' || !(url.split('?', 1)[0] ?? '').endsWith('/scale')) return
    const scale = object as Frozen<Scale>
    const replicas = scale.spec?.replicas ?? 0
    const bounds = this.#bounds.get(keyOf(scale)) ?? []
    if (!bounds.some(({ least, most }) => replicas >= least && replicas <= most))
      throw new Violation(`${keyOf(scale)} is scaled to ${replicas}, beyond the bounds of its autoscaler`)
  }
}
