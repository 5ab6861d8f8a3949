import { podFromTemplate } from '../shared/podcontrol.ts'
import { daemonTolerations, type SomePod, type SomeSet } from './nodes.ts'

export const hashLabel = 'controller-revision-hash'
const generationLabel = 'pod-template-generation'
const generationAnnotation = 'deprecated.daemonset.template.generation'

/** The set's pod for one node: the affinity lets the scheduler bind it to no other. */
export function podFor(set: SomeSet, hash: string, node: string): SomePod {
  const pod = podFromTemplate(set, set.spec.template)
  const generation = templateGeneration(set)
  const labels = {
    ...pod.metadata.labels,
    ...(generation === undefined ? {} : { [generationLabel]: String(generation) }),
    [hashLabel]: hash,
  }
  const { affinity } = pod.spec
  const terms = [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }]
  const nodeAffinity = {
    ...affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
  }
  const spec = { ...pod.spec, tolerations: daemonTolerations(pod.spec), affinity: { ...affinity, nodeAffinity } }
  return { ...pod, metadata: { ...pod.metadata, labels }, spec }
}

export function isUpdated(set: SomeSet, pod: SomePod, hash: string): boolean {
  const labels = pod.metadata.labels ?? {}
  if (hash !== '' && labels[hashLabel] === hash) return true
  const generation = templateGeneration(set)
  return generation !== undefined && labels[generationLabel] === String(generation)
}

function templateGeneration({ metadata }: SomeSet): bigint | undefined {
  const text = metadata.annotations?.[generationAnnotation]
  return text !== undefined && /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined
}
