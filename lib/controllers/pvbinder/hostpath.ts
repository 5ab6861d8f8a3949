import { mkdir, realpath, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { annotated, annotations, type Claim, type Class, type Volume } from './types.ts'

/** Volumes that are folders of this machine: for tests and clusters of one node. */
export const hostPathPlugin = 'kubernetes.io/host-path'

/** All folders are created and deleted below it. */
const root = '/tmp'

/** The folder to delete with the volume; undefined: this controller does not delete it. */
export function folderToDelete({ metadata, spec }: Volume): string | undefined {
  const by = metadata.annotations?.[annotations.provisionedBy]
  if (spec.persistentVolumeReclaimPolicy !== 'Delete' || (by !== undefined && !by.startsWith('kubernetes.io/')))
    return undefined
  return metadata.annotations?.[annotations.migratedTo] === undefined ? spec.hostPath?.path : undefined
}

/** Why a folder is not deleted; undefined: it may be. */
export function refusalOf(folder: string): string | undefined {
  return resolve(folder).startsWith(`${root}/`)
    ? undefined
    : `host_path deleter only supports /tmp/.+ but received provided ${folder}`
}

/** A missing folder counts as deleted. Rejects where a symbolic link in its path leads elsewhere. */
export async function deleteFolder(folder: string): Promise<void> {
  const whole = resolve(folder)
  const parent = await realpath(dirname(whole)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (parent === undefined) return
  const top = await realpath(root)
  const isBelow = parent === top || parent.startsWith(`${top}/`)
  const refused = refusalOf(isBelow ? whole : join(parent, basename(whole)))
  if (refused !== undefined) throw new Error(refused)
  await rm(join(parent, basename(whole)), { recursive: true, force: true })
}

export async function createFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o750 })
}

/** The volume for a claim, and its folder; both are named after the claim, as with other provisioners. */
export function hostPathVolume(claim: Claim, { metadata, reclaimPolicy }: Class): { volume: Volume; folder: string } {
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = claim.metadata
  const { accessModes = [], resources } = claim.spec
  const folder = `${root}/hostpath_pv/${uid}`
  const volume = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `pvc-${uid}` },
    spec: {
      persistentVolumeReclaimPolicy: reclaimPolicy ?? 'Delete',
      accessModes: accessModes.length > 0 ? accessModes : ['ReadWriteOnce'],
      capacity: { storage: resources?.requests?.['storage'] ?? '0' },
      storageClassName: metadata.name ?? '',
      hostPath: { path: folder },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid, resourceVersion },
    },
    status: {},
  } as const
  const marks = {
    'kubernetes.io/createdby': 'hostpath-dynamic-provisioner',
    [annotations.boundByController]: 'yes',
    [annotations.provisionedBy]: hostPathPlugin,
  }
  return { volume: annotated(volume, marks), folder }
}

/** The claim requests a block device, which a folder can't provide. */
export function isForBlocks(claim: Claim): boolean {
  return claim.spec.volumeMode === 'Block'
}
