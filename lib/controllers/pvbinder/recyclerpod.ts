import type { Pod } from '../../../api/gen/core/v1.ts'
import type { ControllerSettings } from '../../controller/index.ts'
import { type Frozen, quantityValue } from '../../object/index.ts'
import { annotations, has, type Volume } from './types.ts'

/** A pod can empty the volume. The volumes of drivers are left to them. */
export function isRecyclable(volume: Volume): boolean {
  const { hostPath, nfs, persistentVolumeReclaimPolicy: policy } = volume.spec
  return policy === 'Recycle' && (hostPath ?? nfs) !== undefined && !has(volume, annotations.migratedTo)
}

/** The pod that empties the volume. Its fixed name ensures that there is one per volume. */
export function recyclerPod(volume: Volume, settings: ControllerSettings): Frozen<Pod> {
  const { hostPath, nfs } = volume.spec
  const source = hostPath
    ? { hostPath: { path: hostPath.path } }
    : { nfs: { server: nfs?.server ?? '', path: nfs?.path ?? '' } }
  const { hostPath: forHostPath = usualPod, nfs: forNfs = usualPod } = settings.recyclerPods
  const template = hostPath ? forHostPath : forNfs
  const [first, ...others] = template.spec.volumes ?? []
  const { generateName: _, ...metadata } = template.metadata
  return {
    ...template,
    metadata: { ...metadata, name: `recycler-for-${volume.metadata.name}` },
    spec: {
      ...template.spec,
      activeDeadlineSeconds: deadlineSeconds(volume, settings),
      volumes: [{ name: first?.name ?? '', ...source }, ...others],
    },
  }
}

const bytesPerStep = 1024n ** 3n

/** By the size of the volume, with a minimum. */
function deadlineSeconds({ spec }: Volume, settings: ControllerSettings): number {
  const [leastSeconds, stepSeconds] = spec.hostPath
    ? [settings.pvRecyclerMinimumTimeoutHostpath, settings.pvRecyclerTimeoutIncrementHostpath]
    : [settings.pvRecyclerMinimumTimeoutNfs, settings.pvRecyclerIncrementTimeoutNfs]
  const steps = quantityValue(spec.capacity?.['storage'] ?? '0') / bytesPerStep
  return Math.max(leastSeconds, Number(steps * BigInt(stepSeconds)))
}

const usualPod: Frozen<Pod> = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default' },
  spec: {
    restartPolicy: 'Never',
    volumes: [{ name: 'vol' }],
    containers: [
      {
        name: 'pv-recycler',
        image: 'registry.k8s.io/build-image/debian-base:bookworm-v1.0.6',
        command: ['/bin/sh'],
        // Fails where files are left, as on a read-only file system.
        args: ['-c', 'test -e /scrub && find /scrub -mindepth 1 -delete && test -z "$(ls -A /scrub)" || exit 1'],
        volumeMounts: [{ name: 'vol', mountPath: '/scrub' }],
        resources: {},
      },
    ],
  },
  status: {},
}
