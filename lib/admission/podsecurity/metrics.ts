import type { Metrics } from '../../base/index.ts'
import type { AdmissionAttributes } from '../plugin.ts'
import { formatVersion, type Mode, type Standard } from './policy.ts'

/** Counts evaluations, exemptions and failures, by operation and kind of resource. */
export interface PodSecurityMetrics {
  evaluated(attributes: AdmissionAttributes, decision: 'allow' | 'deny', standard: Standard, mode: Mode): void
  exempted(attributes: AdmissionAttributes): void
  failed(attributes: AdmissionAttributes): void
}

export function createPodSecurityMetrics(metrics: Metrics, newest: number): PodSecurityMetrics {
  const about = ['request_operation', 'resource', 'subresource']
  const evaluations = metrics.counter({
    name: 'pod_security_evaluations_total',
    help: 'Evaluations of pods by the Pod Security Standards.',
    labels: ['decision', 'policy_level', 'policy_version', 'mode', ...about],
    stability: 'ALPHA',
  })
  const exemptions = metrics.counter({
    name: 'pod_security_exemptions_total',
    help: 'Requests that the Pod Security Standards do not apply to.',
    labels: about,
    stability: 'ALPHA',
  })
  const errors = metrics.counter({
    name: 'pod_security_errors_total',
    help: 'Namespaces whose labels could not be read when a pod was to be evaluated.',
    labels: ['fatal', ...about],
    stability: 'ALPHA',
  })
  const valuesOf = ({ operation, resource, subresource }: AdmissionAttributes): string[] => [
    operation.toLowerCase(),
    resource.resource === 'pods' && resource.group === '' ? 'pod' : 'controller',
    subresource,
  ]
  const versionOf = ({ version }: Standard): string =>
    version !== 'latest' && version > newest ? 'future' : formatVersion(version)
  return {
    evaluated: (attributes, decision, standard, mode) =>
      evaluations.add([decision, standard.level, versionOf(standard), mode, ...valuesOf(attributes)]),
    exempted: (attributes) => exemptions.add(valuesOf(attributes)),
    failed: (attributes) => errors.add(['false', ...valuesOf(attributes)]),
  }
}
