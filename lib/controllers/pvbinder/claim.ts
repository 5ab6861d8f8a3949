import type { PersistentVolumeClaim, Pod } from '../../../api/gen/core/v1.ts'
import type { StorageClass } from '../../../api/gen/storage.k8s.io/v1.ts'
import { type Index, keyOf, type Lister } from '../../controller/index.ts'
import { deepEqual } from '../../object/index.ts'
import { bind } from './bind.ts'
import { hostPathPlugin, hostPathVolume, isForBlocks } from './hostpath.ts'
import { findVolume, mismatch, names } from './match.ts'
import { driverFor, migratedClaim } from './migration.ts'
import { unscheduledPods } from './podclaims.ts'
import {
  annotated,
  annotations,
  type Claim,
  type Class,
  classNameOf,
  has,
  nothing,
  type Plan,
  type PlannedEvent,
  type Seen,
  type Step,
} from './types.ts'

/** Throws an Error for a state that only a retry can resolve. */
export function planClaim(claim: Claim, seen: Seen): Plan {
  const migrated = migratedClaim(claim)
  // This write causes the next turn of the claim.
  if (migrated) return { steps: [{ write: 'claim', object: migrated }], events: [] }
  if (has(claim, annotations.bindCompleted)) return planBound(claim, seen)
  return (claim.spec.volumeName ?? '') === '' ? planFree(claim, seen) : planNamed(claim, seen)
}

function planFree(claim: Claim, seen: Seen): Plan {
  const storageClass = seen.classes.get(classNameOf(claim))
  const isDelayed = storageClass?.volumeBindingMode === 'WaitForFirstConsumer'
  const volume = findVolume(claim, seen.volumes, isDelayed)
  if (volume) return bind(volume, claim, seen)
  const byDefault = hasClass(claim) ? undefined : defaultClass(seen.classes)?.metadata.name
  if (byDefault !== undefined)
    return { steps: [{ write: 'claimClass', object: withClass(claim, byDefault) }], events: [] }
  if (isDelayed && !has(claim, annotations.selectedNode)) return unbound(claim, [waiting(claim, seen.pods)])
  if (classNameOf(claim) !== '') return provision(claim, storageClass, seen)
  const message = 'no persistent volumes available for this claim and no storage class is set'
  return unbound(claim, [{ about: claim, type: 'Normal', reason: 'FailedBinding', message }])
}

function planNamed(claim: Claim, seen: Seen): Plan {
  const { volumeName = '' } = claim.spec
  const volume = seen.volumes.get(volumeName)
  if (!volume) return unbound(claim, [])
  if (!volume.spec.claimRef) {
    const why = mismatch(volume, claim)
    if (why === undefined) return bind(volume, claim, seen)
    const message = `Cannot bind to requested volume "${volumeName}": ${why}`
    return unbound(claim, [{ about: claim, type: 'Warning', reason: 'VolumeMismatch', message }])
  }
  if (names(volume, claim)) return bind(volume, claim, seen)
  if (has(claim, annotations.boundByController))
    throw new Error(`claim ${keyOf(claim)} was bound to volume ${volumeName}, which is another claim's`)
  const message = `volume "${volumeName}" already bound to a different claim.`
  return unbound(claim, [{ about: claim, type: 'Warning', reason: 'FailedBinding', message }])
}

function planBound(claim: Claim, seen: Seen): Plan {
  const { volumeName = '' } = claim.spec
  if (volumeName === '')
    return lost(claim, 'ClaimLost', 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!')
  const volume = seen.volumes.get(volumeName)
  if (!volume) return lost(claim, 'ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!')
  const { claimRef } = volume.spec
  if (!claimRef || claimRef.uid === claim.metadata.uid) return bind(volume, claim, seen)
  const message = 'Two claims are bound to the same volume, this one is bound incorrectly'
  return lost(claim, 'ClaimMisbound', message)
}

function lost(claim: Claim, reason: string, message: string): Plan {
  // The event is recorded once.
  const events: PlannedEvent[] =
    claim.status.phase === 'Lost' ? [] : [{ about: claim, type: 'Warning', reason, message }]
  return { steps: withoutVolume(claim, 'Lost'), events }
}

function unbound(claim: Claim, events: readonly PlannedEvent[]): Plan {
  return { steps: withoutVolume(claim, 'Pending'), events }
}

function withoutVolume(claim: Claim, phase: string): Step[] {
  const { accessModes: _, capacity: __, currentVolumeAttributesClassName: ___, ...rest } = claim.status
  const status = { ...rest, phase }
  return deepEqual(status, claim.status) ? [] : [{ write: 'claimStatus', object: { ...claim, status } }]
}

function hasClass({ metadata, spec }: Claim): boolean {
  return metadata.annotations?.[annotations.betaClass] !== undefined || spec.storageClassName !== undefined
}

function withClass(claim: Claim, storageClassName: string): Claim {
  return { ...claim, spec: { ...claim.spec, storageClassName } }
}

const defaultMarks = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class']

/** The newest default class; the first by name among equally old ones. */
function defaultClass(classes: Lister<StorageClass>): Class | undefined {
  let chosen: Class | undefined
  for (const each of classes.all()) {
    if (!defaultMarks.some((mark) => each.metadata.annotations?.[mark] === 'true')) continue
    if (!chosen || isPreferred(each, chosen)) chosen = each
  }
  return chosen
}

function isPreferred({ metadata: one }: Class, { metadata: other }: Class): boolean {
  const [first, second] = [one.creationTimestamp ?? '', other.creationTimestamp ?? '']
  return first === second ? (one.name ?? '') < (other.name ?? '') : first > second
}

function waiting(claim: Claim, pods: Lister<Pod>): PlannedEvent {
  const names = pods.by(unscheduledPods, keyOf(claim)).map(({ metadata }) => metadata.name)
  const [reason, message] =
    names.length === 0
      ? ['WaitForFirstConsumer', 'waiting for first consumer to be created before binding']
      : ['WaitForPodScheduled', `waiting for pod${names.length > 1 ? 's' : ''} ${names.join()} to be scheduled`]
  return { about: claim, type: 'Normal', reason, message }
}

/** Requests a volume from the provisioner of the class, which creates one that names the claim. */
function provision(claim: Claim, storageClass: Class | undefined, seen: Seen): Plan {
  if (!seen.provisions) return nothing
  const failed = (message: string): Plan => ({
    steps: [],
    events: [{ about: claim, type: 'Warning', reason: 'ProvisioningFailed', message }],
  })
  if (!storageClass) return failed(`storageclass.storage.k8s.io "${classNameOf(claim)}" not found`)
  const { provisioner } = storageClass
  if (provisioner === hostPathPlugin) return provisionFolder(claim, storageClass, seen, failed)
  const driver = driverFor(provisioner)
  if (!driver && provisioner.startsWith('kubernetes.io/'))
    return failed(`no volume plugin matched name: ${provisioner}`)
  const name = driver ?? provisioner
  const requested = annotated(claim, { [annotations.provisioner]: name, [annotations.betaProvisioner]: name })
  const message = `Waiting for a volume to be created either by the external provisioner '${name}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`
  return {
    steps: deepEqual(requested.metadata, claim.metadata) ? [] : [{ write: 'claim', object: requested }],
    events: [{ about: claim, type: 'Normal', reason: 'ExternalProvisioning', message }],
  }
}

function provisionFolder(
  claim: Claim,
  storageClass: Class,
  { makesFolders, volumes }: Seen,
  failed: (message: string) => Plan,
): Plan {
  if (!makesFolders)
    return failed(`Failed to create provisioner: provisioning in volume plugin "${hostPathPlugin}" is disabled`)
  if (isForBlocks(claim)) {
    const why = `${hostPathPlugin} does not support block volume provisioning`
    return failed(`Failed to provision volume with StorageClass "${storageClass.metadata.name}": ${why}`)
  }
  const requested = annotated(claim, {
    [annotations.provisioner]: hostPathPlugin,
    [annotations.betaProvisioner]: hostPathPlugin,
  })
  const steps: Step[] = deepEqual(requested.metadata, claim.metadata) ? [] : [{ write: 'claim', object: requested }]
  const { volume, folder } = hostPathVolume(claim, storageClass)
  const name = volume.metadata.name ?? ''
  if (volumes.get(name)) return { steps, events: [] }
  const message = `Successfully provisioned volume ${name} using ${hostPathPlugin}`
  return {
    steps: [...steps, { write: 'newVolume', object: volume, folder }],
    events: [{ about: claim, type: 'Normal', reason: 'ProvisioningSucceeded', message }],
  }
}

/** Claims without a completed binding, by class; those without a class also under ''. */
export const unboundClaims: Index<PersistentVolumeClaim> = {
  values: (claim) => (has(claim, annotations.bindCompleted) ? [] : [classNameOf(claim)]),
}
