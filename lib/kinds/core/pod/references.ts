import type * as core from '../../../../api/gen/core/v1.ts'

/** Marks a mirror pod, which represents a static pod in the API. */
export const mirrorAnnotation = 'kubernetes.io/config.mirror'

/** The objects that a pod gives its node access to, by kind and `namespace/name`. */
interface PodReferences {
  readonly secrets: ReadonlySet<string>
  readonly configMaps: ReadonlySet<string>
  readonly claims: ReadonlySet<string>
  readonly resourceClaims: ReadonlySet<string>
  /** '' for none. */
  readonly serviceAccount: string
}

/** Paths that `podReferences` reads. */
export const podReferenceFields: readonly string[] = [
  'metadata.name',
  'spec.imagePullSecrets',
  ...['initContainers', 'containers', 'ephemeralContainers'].flatMap((containers) => [
    `spec.${containers}.env.valueFrom`,
    `spec.${containers}.envFrom`,
  ]),
  'spec.volumes',
  'spec.resourceClaims',
  'spec.serviceAccountName',
  'status.resourceClaimStatuses',
]

/** Names in the pod's namespace to which its spec refers. */
export function podReferences({ metadata, spec, status }: core.Pod): PodReferences {
  const secrets = new Set<string>()
  const configMaps = new Set<string>()
  const claims = new Set<string>()
  const add = (to: Set<string>, name: string | undefined): void => void (name && to.add(name))
  for (const { name } of spec.imagePullSecrets ?? []) add(secrets, name)
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])]
  for (const { env, envFrom } of containers) {
    for (const { valueFrom } of env ?? []) {
      add(secrets, valueFrom?.secretKeyRef?.name)
      add(configMaps, valueFrom?.configMapKeyRef?.name)
    }
    for (const { secretRef, configMapRef } of envFrom ?? []) {
      add(secrets, secretRef?.name)
      add(configMaps, configMapRef?.name)
    }
  }
  for (const volume of spec.volumes ?? []) {
    for (const name of secretsOfVolume(volume)) add(secrets, name)
    add(configMaps, volume.configMap?.name)
    for (const source of volume.projected?.sources ?? []) {
      add(secrets, source.secret?.name)
      add(configMaps, source.configMap?.name)
    }
    add(claims, volume.persistentVolumeClaim?.claimName)
    if (volume.ephemeral) add(claims, `${metadata.name ?? ''}-${volume.name}`)
  }
  const resourceClaims = new Set(spec.resourceClaims?.map(({ resourceClaimName = '' }) => resourceClaimName))
  for (const { resourceClaimName = '' } of status?.resourceClaimStatuses ?? []) resourceClaims.add(resourceClaimName)
  resourceClaims.delete('')
  return { secrets, configMaps, claims, resourceClaims, serviceAccount: spec.serviceAccountName ?? '' }
}

function* secretsOfVolume(volume: core.Volume): Iterable<string | undefined> {
  const { secret, azureFile, csi, cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos } = volume
  yield* [secret?.secretName, azureFile?.secretName, csi?.nodePublishSecretRef?.name]
  for (const source of [cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos]) yield source?.secretRef?.name
}

/** Secrets that a node needs to mount the volume, as `namespace/name`; without a namespace, the claim's. */
export function volumeSecrets({ spec }: core.PersistentVolume): Set<string> {
  const home = spec.claimRef?.namespace ?? ''
  const { azureFile, cephfs, cinder, csi, flexVolume, iscsi, rbd, scaleIO, storageos } = spec
  const references = [
    azureFile && { name: azureFile.secretName, namespace: azureFile.secretNamespace },
    csi?.nodeStageSecretRef,
    csi?.nodePublishSecretRef,
    csi?.nodeExpandSecretRef,
    ...[cephfs, cinder, flexVolume, iscsi, rbd, scaleIO, storageos].map((source) => source?.secretRef),
  ]
  return new Set(references.flatMap((each) => (each?.name ? [`${each.namespace || home}/${each.name}`] : [])))
}
