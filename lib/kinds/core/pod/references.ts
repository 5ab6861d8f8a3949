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

type ReferenceKind = 'secret' | 'configmap' | 'claim' | 'resourceclaim' | 'serviceaccount'

/** Names in the pod's namespace to which its spec refers. */
export function podReferences(pod: core.Pod): PodReferences {
  const references = {
    secret: new Set<string>(),
    configmap: new Set<string>(),
    claim: new Set<string>(),
    resourceclaim: new Set<string>(),
    serviceaccount: new Set<string>(),
  }
  visitPodReferences(pod, (kind, name) => references[kind].add(name))
  const { secret: secrets, configmap: configMaps, claim: claims, resourceclaim: resourceClaims } = references
  return { secrets, configMaps, claims, resourceClaims, serviceAccount: pod.spec.serviceAccountName ?? '' }
}

/** Calls `visit` with each name to which the pod's spec refers; some more than once. */
export function visitPodReferences(
  { metadata, spec, status }: core.Pod,
  visit: (kind: ReferenceKind, name: string) => void,
): void {
  const see = (kind: ReferenceKind, name: string | undefined): void => {
    if (name) visit(kind, name)
  }
  for (const { name } of spec.imagePullSecrets ?? []) see('secret', name)
  for (const containers of [spec.initContainers, spec.containers, spec.ephemeralContainers])
    for (const container of containers ?? []) visitContainer(container, see)
  for (const volume of spec.volumes ?? []) visitVolume(volume, metadata.name ?? '', see)
  for (const { resourceClaimName } of spec.resourceClaims ?? []) see('resourceclaim', resourceClaimName)
  for (const { resourceClaimName } of status?.resourceClaimStatuses ?? []) see('resourceclaim', resourceClaimName)
  see('serviceaccount', spec.serviceAccountName)
}

type See = (kind: ReferenceKind, name: string | undefined) => void

function visitContainer({ env, envFrom }: Pick<core.Container, 'env' | 'envFrom'>, see: See): void {
  for (const { valueFrom } of env ?? []) {
    see('secret', valueFrom?.secretKeyRef?.name)
    see('configmap', valueFrom?.configMapKeyRef?.name)
  }
  for (const { secretRef, configMapRef } of envFrom ?? []) {
    see('secret', secretRef?.name)
    see('configmap', configMapRef?.name)
  }
}

function visitVolume(volume: core.Volume, podName: string, see: See): void {
  const { secret, azureFile, csi, cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos } = volume
  see('secret', secret?.secretName)
  see('secret', azureFile?.secretName)
  see('secret', csi?.nodePublishSecretRef?.name)
  see('secret', cephfs?.secretRef?.name)
  see('secret', cinder?.secretRef?.name)
  see('secret', flexVolume?.secretRef?.name)
  see('secret', rbd?.secretRef?.name)
  see('secret', scaleIO?.secretRef?.name)
  see('secret', iscsi?.secretRef?.name)
  see('secret', storageos?.secretRef?.name)
  see('configmap', volume.configMap?.name)
  for (const source of volume.projected?.sources ?? []) {
    see('secret', source.secret?.name)
    see('configmap', source.configMap?.name)
  }
  see('claim', volume.persistentVolumeClaim?.claimName)
  if (volume.ephemeral) see('claim', `${podName}-${volume.name}`)
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
