import { mkdirSync } from 'node:fs'
import { parse } from 'yaml'
import type { Bind } from './bareroot.ts'
import type { Machine } from './machine.ts'

/** As much of a static pod's manifest as a test needs to run it. */
export interface StaticPod {
  readonly command: readonly string[]
  readonly binds: readonly Bind[]
  /** URLs. */
  readonly probes: readonly string[]
}

interface Manifest {
  readonly spec: {
    readonly containers: readonly (Readonly<Record<string, unknown>> & {
      readonly command: readonly string[]
      readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
    })[]
    readonly volumes: readonly { readonly name: string; readonly hostPath?: { readonly path: string } }[]
  }
}

interface Probe {
  readonly httpGet: { readonly host: string; readonly path: string; readonly port: number; readonly scheme: string }
}

/**
 * Reads a manifest whose addresses are the machine's; volumes of the host are folders of the machine. The text's paths are
 * those of the container.
 */
export function readStaticPod(text: string, machine: Machine): StaticPod {
  const [container] = (parse(text) as Manifest).spec.containers
  const { volumes } = (parse(text) as Manifest).spec
  if (!container) throw new Error('the pod has no container')
  const binds = container.volumeMounts.flatMap(({ name, mountPath }) => {
    const from = volumes.find((volume) => volume.name === name)?.hostPath?.path
    if (from === undefined) return []
    if (!from.endsWith('.conf')) mkdirSync(machine.path(from), { recursive: true })
    return [{ from: machine.path(from), to: mountPath }]
  })
  const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].flatMap((kind) => {
    const probe = container[kind] as Probe | undefined
    if (!probe) return []
    const { host, path, port, scheme } = probe.httpGet
    return [`${scheme.toLowerCase()}://${host}:${port}${path}`]
  })
  return { command: container.command, binds, probes }
}
