import type { GroupResource } from '../object/index.ts'
import type { Evaluator, EvaluatorOptions } from './evaluator.ts'
import { objectCounts } from './objectcounts.ts'
import { persistentVolumeClaims } from './persistentvolumeclaims.ts'
import { pods } from './pods.ts'
import { resourceClaims } from './resourceclaims.ts'
import { services } from './services.ts'

/** The evaluators of all resources that quotas count. */
export interface Evaluators {
  /** Undefined: the resource is never counted. Any other resource is at least counted by its objects. */
  of(resource: GroupResource): Evaluator | undefined
  /** Evaluators with their own rules. */
  readonly own: readonly Evaluator[]
}

/** Counted under a short name, too. */
const aliased = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']

/** Not stored, or, like events, never counted before there were counts of any resource. */
const ignored = new Set([
  'events.',
  'events.events.k8s.io',
  'bindings.',
  'componentstatuses.',
  'tokenreviews.authentication.k8s.io',
  'selfsubjectreviews.authentication.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
])

export function createEvaluators(options: EvaluatorOptions): Evaluators {
  const own = [
    pods(options),
    services,
    persistentVolumeClaims(options),
    resourceClaims,
    ...aliased.map((name) => objectCounts({ group: '', resource: name }, name)),
  ]
  const known = new Map(own.map((evaluator) => [keyOf(evaluator.resource), evaluator]))
  return {
    own,
    of(resource) {
      const key = keyOf(resource)
      if (ignored.has(key)) return undefined
      return known.get(key) ?? objectCounts({ group: resource.group, resource: resource.resource })
    },
  }
}

function keyOf({ group, resource }: GroupResource): string {
  return `${resource}.${group}`
}
