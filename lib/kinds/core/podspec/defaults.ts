import type * as core from '../../../../api/gen/core/v1.ts'
import { canonicalQuantity, roundUpToMilli } from '../../../object/index.ts'
import { defaultClaimSpec } from '../persistentvolumeclaim/spec.ts'

/** Defaults of a pod's spec, in a pod or in a template. */
export function defaultPodSpec(spec: core.PodSpec): void {
  spec.restartPolicy ||= 'Always'
  spec.terminationGracePeriodSeconds ??= 30
  spec.dnsPolicy ||= 'ClusterFirst'
  spec.securityContext ??= {}
  spec.schedulerName ||= 'default-scheduler'
  mirrorServiceAccount(spec)
  spec.volumes?.forEach(defaultVolume)
  spec.initContainers?.forEach(defaultContainer)
  spec.containers?.forEach(defaultContainer)
  spec.ephemeralContainers?.forEach(defaultContainer)
  roundResources(spec.overhead)
  roundResources(spec.resources?.limits)
  roundResources(spec.resources?.requests)
}

/** Two fields for one value; the older only counts when the newer is empty. Clients read either. */
function mirrorServiceAccount(spec: core.PodSpec): void {
  if (spec.serviceAccount) spec.serviceAccountName ||= spec.serviceAccount
  if (spec.serviceAccountName) spec.serviceAccount = spec.serviceAccountName
}

function defaultContainer(container: core.Container | core.EphemeralContainer): void {
  container.terminationMessagePath ||= '/dev/termination-log'
  container.terminationMessagePolicy ||= 'File'
  container.imagePullPolicy ||= pullPolicyOf(container.image ?? '')
  for (const port of container.ports ?? []) port.protocol ||= 'TCP'
  for (const variable of container.env ?? []) {
    const { fieldRef, fileKeyRef } = variable.valueFrom ?? {}
    if (fieldRef) fieldRef.apiVersion ||= 'v1'
    if (fileKeyRef) fileKeyRef.optional ??= false
  }
  roundResources(container.resources?.limits)
  roundResources(container.resources?.requests)
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe])
    if (probe) defaultProbe(probe)
  defaultHttpGet(container.lifecycle?.postStart?.httpGet)
  defaultHttpGet(container.lifecycle?.preStop?.httpGet)
}

/** An image without a tag, or with the tag `latest` and no digest, is always pulled again. */
function pullPolicyOf(image: string): string {
  // An empty image has no tag either.
  if (image === '' || image.includes('@')) return 'IfNotPresent'
  const tag = /:([^/:]+)$/.exec(image)?.[1]
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent'
}

function defaultProbe(probe: core.Probe): void {
  probe.timeoutSeconds ||= 1
  probe.periodSeconds ||= 10
  probe.successThreshold ||= 1
  probe.failureThreshold ||= 3
  defaultHttpGet(probe.httpGet)
  if (probe.grpc) probe.grpc.service ??= ''
}

function defaultHttpGet(action: core.HTTPGetAction | undefined): void {
  if (!action) return
  action.path ||= '/'
  action.scheme ||= 'HTTP'
}

const defaultFileMode = 0o644

function defaultVolume(volume: core.Volume): void {
  // A volume with only a name is an empty directory.
  if (Object.keys(volume).every((key) => key === 'name')) volume.emptyDir = {}
  if (volume.secret) volume.secret.defaultMode ??= defaultFileMode
  if (volume.configMap) volume.configMap.defaultMode ??= defaultFileMode
  if (volume.downwardAPI) {
    volume.downwardAPI.defaultMode ??= defaultFileMode
    defaultDownwardItems(volume.downwardAPI.items)
  }
  if (volume.projected) defaultProjected(volume.projected)
  if (volume.image) volume.image.pullPolicy ||= pullPolicyOf(volume.image.reference ?? '')
  const claim = volume.ephemeral?.volumeClaimTemplate
  if (claim?.spec) defaultClaimSpec(claim.spec)
  defaultVolumeSource(volume)
}

function defaultProjected(projected: core.ProjectedVolumeSource): void {
  projected.defaultMode ??= defaultFileMode
  for (const source of projected.sources ?? []) {
    if (source.serviceAccountToken) source.serviceAccountToken.expirationSeconds ??= 3600
    defaultDownwardItems(source.downwardAPI?.items)
  }
}

function defaultDownwardItems(items: readonly core.DownwardAPIVolumeFile[] | undefined): void {
  for (const item of items ?? []) if (item.fieldRef) item.fieldRef.apiVersion ||= 'v1'
}

/** Sources that pods and persistent volumes have in common. */
export function defaultVolumeSource(
  source: Pick<core.VolumeSource, 'hostPath' | 'azureDisk'> & {
    iscsi?: { iscsiInterface?: string }
    rbd?: { pool?: string; user?: string; keyring?: string }
    scaleIO?: { storageMode?: string; fsType?: string }
  },
): void {
  if (source.hostPath) source.hostPath.type ??= ''
  if (source.iscsi) source.iscsi.iscsiInterface ||= 'default'
  if (source.rbd) {
    source.rbd.pool ||= 'rbd'
    source.rbd.user ||= 'admin'
    source.rbd.keyring ||= '/etc/ceph/keyring'
  }
  if (source.azureDisk) {
    source.azureDisk.cachingMode ??= 'ReadWrite'
    source.azureDisk.kind ??= 'Shared'
    source.azureDisk.fsType ??= 'ext4'
    source.azureDisk.readOnly ??= false
  }
  if (source.scaleIO) {
    source.scaleIO.storageMode ||= 'ThinProvisioned'
    source.scaleIO.fsType ||= 'xfs'
  }
}

/** Rounds amounts of resources up to a thousandth. */
export function roundResources(list: Record<string, string> | undefined): void {
  if (!list) return
  for (const [name, amount] of Object.entries(list)) {
    // Only amounts in nano or micro units, or with a fraction, can be more precise.
    if (/[nu.eE]/.test(amount)) list[name] = roundUpToMilli(canonicalQuantity(amount))
  }
}
