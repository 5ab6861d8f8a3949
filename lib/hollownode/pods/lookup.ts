import type { Container, Pod } from '../../../api/gen/core/v1.ts'
import type { Client } from '../../client/index.ts'
import type { Frozen } from '../../object/index.ts'
import { createSources, Missing, type Sources, type Values } from './sources.ts'
import { requireSources, requiresSources } from './volumefiles.ts'

/** Values that a pod's containers take from ConfigMaps and Secrets. */
export interface Looked {
  /** By container. */
  readonly env: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly files: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** The object or key that is missing; the pod waits for it. */
  readonly missing: string | undefined
}

/** True: `lookUp` would read something. */
export function needsLookup({ spec }: Frozen<Pod>): boolean {
  const fromVolumes = (spec.volumes ?? []).some(
    (volume) => volume.configMap ?? volume.secret ?? requiresSources(volume),
  )
  const all = [...(spec.initContainers ?? []), ...(spec.containers ?? [])]
  return (
    fromVolumes ||
    all.some(
      ({ env = [], envFrom = [] }) =>
        envFrom.length > 0 || env.some(({ valueFrom }) => valueFrom?.configMapKeyRef ?? valueFrom?.secretKeyRef),
    )
  )
}

/** Reads the ConfigMaps and Secrets of a pod as its node. */
export async function lookUp(pod: Frozen<Pod>, client: Client): Promise<Looked> {
  const env = new Map<string, Values>()
  const files = new Map<string, Values>()
  const sources = createSources(pod.metadata.namespace ?? '', client)
  try {
    const volumes = new Map<string, Values>()
    for (const volume of pod.spec.volumes ?? []) {
      const { name, configMap, secret } = volume
      await requireSources({ pod, podIp: '', client }, volume)
      if (configMap)
        volumes.set(name, await sources.volume('configmap', configMap.name, configMap.optional, configMap.items))
      if (secret) volumes.set(name, await sources.volume('secret', secret.secretName, secret.optional, secret.items))
    }
    for (const container of [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])]) {
      env.set(container.name, await environmentOf(container, sources))
      files.set(container.name, filesOf(container, volumes))
    }
    return { env, files, missing: undefined }
  } catch (error) {
    if (!(error instanceof Missing)) throw error
    return { env, files, missing: error.message }
  }
}

async function environmentOf(container: Frozen<Container>, sources: Sources): Promise<Values> {
  const env = new Map<string, string>()
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    const values = configMapRef
      ? await sources.all('configmap', configMapRef.name, configMapRef.optional)
      : await sources.all('secret', secretRef?.name, secretRef?.optional)
    for (const [key, value] of values) env.set(prefix + key, value)
  }
  for (const { name, valueFrom } of container.env ?? []) {
    const { configMapKeyRef, secretKeyRef } = valueFrom ?? {}
    const from = configMapKeyRef ?? secretKeyRef
    if (!from) continue
    const kind = configMapKeyRef ? 'configmap' : 'secret'
    const value = (await sources.all(kind, from.name, from.optional)).get(from.key ?? '')
    if (value !== undefined) env.set(name, value)
    else if (from.optional !== true) throw new Missing(`couldn't find key ${from.key} in ${kind} "${from.name}"`)
  }
  return env
}

function filesOf(container: Frozen<Container>, volumes: ReadonlyMap<string, Values>): Values {
  const files = new Map<string, string>()
  for (const { name, mountPath, subPath } of container.volumeMounts ?? []) {
    const values = volumes.get(name)
    if (!values) continue
    if (subPath) files.set(mountPath, values.get(subPath) ?? '')
    else for (const [key, value] of values) files.set(`${mountPath.replace(/\/$/, '')}/${key}`, value)
  }
  return files
}
