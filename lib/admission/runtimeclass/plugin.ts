import type * as core from '../../../api/gen/core/v1.ts'
import type * as node from '../../../api/gen/node.k8s.io/v1.ts'
import { quote, semanticEqual } from '../../object/index.ts'
import { concernsResource } from '../concernsresource.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'
import { checkLength, mergeTolerations } from '../tolerations.ts'

interface RuntimeClassDependencies {
  /** Undefined: there is no such class. */
  find(name: string, signal: AbortSignal): Promise<node.RuntimeClass | undefined>
}

const otherOverhead = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"

/** Gives pods the overhead and the scheduling constraints of their runtime class. */
export function createRuntimeClass(dependencies: RuntimeClassDependencies): AdmissionPlugin {
  return {
    name: 'RuntimeClass',
    handles: (operation) => operation === 'CREATE',
    mutate(attributes) {
      if (!concernsResource(attributes, 'pods')) return undefined
      const { spec } = attributes.object as core.Pod
      if (spec.runtimeClassName === undefined) return undefined
      return classOf(dependencies, attributes, spec.runtimeClassName).then((found) => {
        setOverhead(attributes, spec, found)
        setScheduling(attributes, spec, found)
      })
    },
    validate(attributes) {
      if (!concernsResource(attributes, 'pods')) return undefined
      const { spec } = attributes.object as core.Pod
      if (spec.runtimeClassName === undefined) return checkOverhead(attributes, spec, undefined)
      return classOf(dependencies, attributes, spec.runtimeClassName).then((found) =>
        checkOverhead(attributes, spec, found),
      )
    },
  }
}

function checkOverhead(
  attributes: AdmissionAttributes,
  spec: core.PodSpec,
  found: node.RuntimeClass | undefined,
): void {
  if (found?.overhead) {
    if (!semanticEqual(found.overhead.podFixed, spec.overhead)) throw refusal(attributes, otherOverhead)
  } else if (spec.overhead)
    throw refusal(attributes, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead')
}

async function classOf(
  { find }: RuntimeClassDependencies,
  attributes: AdmissionAttributes,
  name: string,
): Promise<node.RuntimeClass> {
  const found = await find(name, attributes.signal)
  if (!found) throw refusal(attributes, `pod rejected: RuntimeClass ${quote(name)} not found`)
  return found
}

function setOverhead(attributes: AdmissionAttributes, spec: core.PodSpec, { overhead }: node.RuntimeClass): void {
  if (!overhead) return
  if (spec.overhead && !semanticEqual(overhead.podFixed, spec.overhead)) throw refusal(attributes, otherOverhead)
  if (overhead.podFixed) spec.overhead = { ...overhead.podFixed }
}

function setScheduling(attributes: AdmissionAttributes, spec: core.PodSpec, { scheduling }: node.RuntimeClass): void {
  if (!scheduling) return
  const own = spec.nodeSelector ?? {}
  for (const [key, value] of Object.entries(scheduling.nodeSelector ?? {})) {
    const wanted = Object.hasOwn(own, key) ? own[key] : undefined
    if (wanted === undefined || wanted === value) continue
    const conflict = `runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${wanted}`
    throw refusal(attributes, `conflict: ${conflict}`)
  }
  if (scheduling.nodeSelector) spec.nodeSelector = { ...own, ...scheduling.nodeSelector }
  checkLength(attributes, spec.tolerations ?? [])
  const tolerations = mergeTolerations(spec.tolerations ?? [], scheduling.tolerations ?? [])
  if (tolerations.length > 0) spec.tolerations = tolerations
}
