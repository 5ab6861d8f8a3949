import type * as batch from '../../../api/gen/batch/v1.ts'
import type * as core from '../../../api/gen/core/v1.ts'
import type { ApiObject } from '../../object/index.ts'
import type { PodShape } from './check.ts'

type Template = core.PodTemplateSpec | undefined

const ofSpec = (object: ApiObject): Template => (object['spec'] as { template?: core.PodTemplateSpec }).template

/** Reads the pod templates of resources that create pods, by `resource.group`. */
const templates: ReadonlyMap<string, (object: ApiObject) => Template> = new Map<
  string,
  (object: ApiObject) => Template
>([
  ['podtemplates.', (object) => (object as core.PodTemplate).template],
  ['replicationcontrollers.', ofSpec],
  ['replicasets.apps', ofSpec],
  ['deployments.apps', ofSpec],
  ['statefulsets.apps', ofSpec],
  ['daemonsets.apps', ofSpec],
  ['jobs.batch', ofSpec],
  ['cronjobs.batch', (object) => (object as batch.CronJob).spec?.jobTemplate.spec?.template],
])

/** Whether a resource creates pods. */
export function makesPods({ resource, group }: { resource: string; group: string }): boolean {
  return templates.has(`${resource}.${group}`)
}

/** The pod template of an object; undefined: its resource creates no pods. */
export function templateShape(of: { resource: string; group: string }, object: ApiObject): PodShape | undefined {
  const template = templates.get(`${of.resource}.${of.group}`)?.(object)
  return template?.spec && { annotations: template.metadata?.annotations ?? {}, spec: template.spec }
}

export function podShape({ metadata, spec }: core.Pod): PodShape {
  return { annotations: metadata.annotations ?? {}, spec }
}

const confinementPrefixes = [
  'seccomp.security.alpha.kubernetes.io/',
  'container.seccomp.security.alpha.kubernetes.io/',
  'container.apparmor.security.beta.kubernetes.io/',
]

/** False: the update changes nothing that the standards check, so that pods from before a standard can live on. */
export function changesMuch(pod: core.Pod, old: core.Pod): boolean {
  const confinement = ({ metadata }: core.Pod): string[] =>
    Object.entries(metadata.annotations ?? {})
      .filter(([key]) => confinementPrefixes.some((prefix) => key.startsWith(prefix)))
      .map((entry) => entry.join('='))
      .sort()
  const images = ({ spec }: core.Pod): string[] =>
    [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])].map(
      ({ name, image }) => `${name}=${image}`,
    )
  return !sameTexts(confinement(pod), confinement(old)) || !sameTexts(images(pod), images(old))
}

function sameTexts(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index])
}
