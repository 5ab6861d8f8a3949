import type * as core from '../../../api/gen/core/v1.ts'

/** A pod, or the pod template of a controller. */
export interface PodShape {
  readonly annotations: Readonly<Record<string, string>>
  readonly spec: core.PodSpec
}

/** A field of a pod that its level forbids: a summary such as `host namespaces`, and details. */
export interface Violation {
  readonly reason: string
  readonly detail: string
}

/** Undefined: no violation. */
export type Run = (pod: PodShape) => Violation | undefined

/** One rule of the Pod Security Standards, with its history. */
export interface Check {
  readonly id: string
  /** The forms of the rule, each by the first minor release with it; ascending. */
  readonly versions: readonly { readonly since: number; readonly run: Run }[]
  /** A check of the lower level that this one replaces. */
  readonly overrides?: string
}

export type AnyContainer = core.Container | core.EphemeralContainer

/** Init containers first, the order of findings. */
export function containersOf({
  initContainers = [],
  containers = [],
  ephemeralContainers = [],
}: core.PodSpec): AnyContainer[] {
  return [...initContainers, ...containers, ...ephemeralContainers]
}

/** Names of the containers for which `is` is true. */
export function containersThat(spec: core.PodSpec, is: (container: AnyContainer) => boolean): string[] {
  return containersOf(spec)
    .filter(is)
    .map(({ name }) => name)
}

export function isWindows({ os }: core.PodSpec): boolean {
  return os?.name === 'windows'
}

/** `"a", "b"` */
export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}

/** `container "a"`, `containers "a", "b"` */
export function counted(noun: string, names: readonly string[]): string {
  return `${plural(noun, names)} ${quoted(names)}`
}

export function plural(noun: string, names: readonly unknown[]): string {
  return names.length === 1 ? noun : `${noun}s`
}

/** `pod and container "a"`: the parts of the pod that set the field. */
export function setters(pod: boolean, containers: readonly string[]): string {
  return [...(pod ? ['pod'] : []), ...(containers.length > 0 ? [counted('container', containers)] : [])].join(' and ')
}

export function sorted(values: Iterable<string>): string[] {
  return [...new Set(values)].sort()
}
