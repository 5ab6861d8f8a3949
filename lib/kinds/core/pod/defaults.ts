import type * as core from '../../../../api/gen/core/v1.ts'
import type { ApiObject } from '../../../object/index.ts'
import type { Defaults } from '../../definition.ts'
import { defaultPodSpec } from '../podspec/defaults.ts'
import { defaultPodResources } from '../podspec/podlevel.ts'

/** Defaults of pods that do not apply to templates, beyond those of the spec. */
export function defaultPod(object: ApiObject, { gate }: Parameters<Defaults>[1]): void {
  const spec = (object['spec'] ??= {}) as core.PodSpec
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) requestLimits(container)
  if (gate('PodLevelResources')) defaultPodResources(spec)
  spec.enableServiceLinks ??= true
  if (spec.hostNetwork === true) exposeHostPorts(spec)
  defaultPodSpec(spec)
}

/** A limit without a request is the request, too. */
function requestLimits(container: core.Container): void {
  const limits = container.resources?.limits
  if (!limits || !container.resources) return
  const requests = (container.resources.requests ??= {})
  for (const [name, amount] of Object.entries(limits)) requests[name] ??= amount
}

/** With the host's network, a container's ports are the host's. */
function exposeHostPorts(spec: core.PodSpec): void {
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])])
    for (const port of container.ports ?? []) port.hostPort ||= port.containerPort
}
