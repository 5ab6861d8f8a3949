import { containerState } from '../text.ts'
import type { Tone } from './tone.ts'
import { type ApiObject, fieldOf, isRecord, records, text } from './values.ts'

export interface ContainerSummary {
  readonly name: string
  readonly role: ContainerRole
  readonly image: string
  /** As `http 8080/TCP`, between commas, as are all lists here. */
  readonly ports: string
  readonly requests: string
  readonly limits: string
  /** Undefined in a template, and before the node reports it. */
  readonly state?: ContainerState | undefined
  /** How it ended last, if it ran before. */
  readonly last?: ContainerState | undefined
  readonly restarts: number
}

export type ContainerRole = 'container' | 'sidecar' | 'init' | 'ephemeral'

export interface ContainerState {
  readonly words: string
  readonly tone: Tone | undefined
  /** NaN where that is not known. */
  readonly sinceMs: number
}

/** The pod, or the template of pods, that an object holds; undefined for other objects. */
export function podOf(object: ApiObject): ApiObject | undefined {
  const template = fieldOf(object, 'spec', 'template') ?? fieldOf(object, 'spec', 'jobTemplate', 'spec', 'template')
  const pod = template ?? object
  return isRecord(pod) && records(fieldOf(pod, 'spec', 'containers')).length > 0 ? pod : undefined
}

/**
 * The containers in the order of their start: those that run before the others, its own, and those for debugging; of
 * each at most `max`.
 */
export function containersOf(pod: ApiObject, max = Infinity): ContainerSummary[] {
  const list = (
    specs: string,
    statuses: string,
    roleOf: (container: ApiObject) => ContainerRole,
  ): ContainerSummary[] => {
    const reported = new Map(records(fieldOf(pod, 'status', statuses)).map((status) => [text(status['name']), status]))
    const containers = records(fieldOf(pod, 'spec', specs)).slice(0, max)
    return containers.map((container) => {
      const name = text(container['name'])
      const status = reported.get(name)
      return {
        name,
        role: roleOf(container),
        image: text(container['image']),
        ports: portsOf(container),
        requests: amounts(fieldOf(container, 'resources', 'requests')),
        limits: amounts(fieldOf(container, 'resources', 'limits')),
        state: stateOf(status?.['state'], status?.['ready'] === true),
        last: stateOf(status?.['lastState'], false),
        restarts: Number(status?.['restartCount'] ?? 0),
      }
    })
  }
  return [
    ...list('initContainers', 'initContainerStatuses', ({ restartPolicy }) =>
      restartPolicy === 'Always' ? 'sidecar' : 'init',
    ),
    ...list('containers', 'containerStatuses', () => 'container'),
    ...list('ephemeralContainers', 'ephemeralContainerStatuses', () => 'ephemeral'),
  ]
}

function portsOf(container: ApiObject): string {
  const ports = records(container['ports']).map(({ name, containerPort, protocol }) =>
    `${text(name)} ${Number(containerPort)}/${text(protocol) || 'TCP'}`.trim(),
  )
  return ports.join(', ')
}

function amounts(resources: unknown): string {
  const pairs = Object.entries(isRecord(resources) ? resources : {})
  return pairs.map(([name, amount]) => `${name} ${String(amount)}`).join(', ')
}

/** Waiting for these is the way of a start. */
const usual = /^(?:ContainerCreating|PodInitializing|)$/

function stateOf(state: unknown, isReady: boolean): ContainerState | undefined {
  const { running, waiting, terminated } = isRecord(state) ? state : {}
  if (isRecord(running)) {
    const sinceMs = Date.parse(text(running['startedAt']))
    return isReady
      ? { words: containerState.running, tone: 'good', sinceMs }
      : { words: containerState.notReady, tone: 'waits', sinceMs }
  }
  if (isRecord(waiting)) {
    const reason = text(waiting['reason'])
    const tone = usual.test(reason) ? 'waits' : 'bad'
    return { words: containerState.waiting(reason, text(waiting['message'])), tone, sinceMs: Number.NaN }
  }
  if (isRecord(terminated)) {
    const code = Number(terminated['exitCode'] ?? 0)
    const sinceMs = Date.parse(text(terminated['finishedAt']))
    const words = containerState.ended(text(terminated['reason']), code, text(terminated['message']))
    return { words, tone: code === 0 ? undefined : 'bad', sinceMs }
  }
  return undefined
}
