import type { Container, Pod, PodSpec } from '../../api/gen/core/v1.ts'
import { shellImage } from '../../hack/node/images.ts'

/** A container that runs a script of busybox's shell; without one, a web server that answers its pod's name. */
export function container(script?: string, more: Partial<Container> = {}): Container {
  return {
    resources: {},
    name: 'main',
    image: shellImage,
    imagePullPolicy: 'Never',
    ...(script === undefined ? {} : { command: ['sh', '-c', script] }),
    ...more,
  }
}

/** A pod of these containers, which ends within two seconds once it is deleted. */
export function podOf(name: string, containers: readonly Container[], spec: Partial<PodSpec> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels: { app: name } },
    spec: { terminationGracePeriodSeconds: 1, containers: [...containers], ...spec },
    status: {},
  }
}

/** Runs until it is stopped, at once. */
export const forever = 'trap "exit 0" TERM; while :; do sleep 3600 & wait $!; done'
