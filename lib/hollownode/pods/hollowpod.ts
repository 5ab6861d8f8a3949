import type { Container, Pod } from '../../../api/gen/core/v1.ts'
import type { Clock } from '../../base/index.ts'
import type { Client } from '../../client/index.ts'
import { deepEqual, type Frozen } from '../../object/index.ts'
import { accompany } from './accompany.ts'
import { type Advance, advance, recordOf } from './advance.ts'
import { behaviourOf, type PodBehaviour } from './behaviour.ts'
import { runBriefly } from './command.ts'
import { ContainerLog } from './containerlog.ts'
import type { Looked } from './lookup.ts'
import { runProcess, type Surroundings, surroundingsOf } from './process.ts'
import { type ContainerRecord, isRunning, type PodRecord, withContainer } from './record.ts'
import { readVolumeFile } from './volumefiles.ts'

const stopped = new Error('the container is stopped')
/** Exit code of a container that its node kills. */
const killed = 137

interface Logs {
  readonly current: ContainerLog
  readonly previous: ContainerLog | undefined
}

/** The receiver of a pod's changes and events. */
export interface PodOwner {
  /** A process has ended, or a probe has changed something. */
  changed(): void
  event(type: 'Normal' | 'Warning', reason: string, message: string): void
}

/** One pod on its node: its record, and the processes and logs of its containers. */
export class HollowPod {
  readonly uid: string
  /** The latest state that is known. */
  pod: Frozen<Pod>
  record: PodRecord
  looked: Looked | undefined
  /** The status that was sent last, and the answer to it. */
  sent: { readonly text: string; readonly answer: Frozen<Pod> } | undefined
  reportedProblems = ''
  /** Fields that stages lay over its status. */
  overlay: Readonly<Record<string, unknown>> | undefined
  readonly #clock: Clock
  /** Reads as the pod's node. */
  readonly #client: Client
  readonly #owner: PodOwner
  readonly #logs = new Map<string, Logs>()
  readonly #processes = new Map<string, AbortController>()
  /** Ends the hooks and probes of a container. */
  readonly #companions = new Map<string, AbortController>()
  /** Restarts of containers at the last event about a backoff. */
  readonly #reportedBackoffs = new Map<string, number>()
  #behaviour: { readonly of: Frozen<Pod>; readonly behaviour: PodBehaviour } | undefined

  constructor(
    { clock, client }: { readonly clock: Clock; readonly client: Client },
    pod: Frozen<Pod>,
    podIp: string,
    owner: PodOwner,
  ) {
    this.#clock = clock
    this.#client = client
    this.#owner = owner
    this.uid = pod.metadata.uid ?? ''
    this.pod = pod
    this.record = recordOf(pod, podIp, clock.now())
    // Containers of an earlier process of this node: their commands begin again.
    for (const [name, container] of this.record.containers) if (isRunning(container)) this.#begin(name)
  }

  get behaviour(): PodBehaviour {
    if (this.#behaviour === undefined || !isSameSpec(this.#behaviour.of, this.pod))
      this.#behaviour = { of: this.pod, behaviour: behaviourOf(this.pod) }
    return this.#behaviour.behaviour
  }

  /** Does what is due, and starts and ends processes accordingly. */
  advance(blocked: string | undefined): Advance {
    const { pod, record, behaviour } = this
    const after = advance({ pod, record, behaviour, blocked, nowMs: this.#clock.now() })
    this.record = after.record
    for (const name of after.stopped) this.#end(name)
    for (const name of after.started) this.#begin(name)
    for (const name of after.stopped)
      if (after.started.includes(name) && !isRunning(after.record.containers.get(name))) this.#end(name)
    return after
  }

  /** True once for each backoff of a container. */
  isNewBackoff(name: string): boolean {
    const restarts = this.record.containers.get(name)?.restartCount ?? 0
    if (this.#reportedBackoffs.get(name) === restarts) return false
    this.#reportedBackoffs.set(name, restarts)
    return true
  }

  containerNamed(name: string): Frozen<Container> | undefined {
    const { initContainers = [], containers = [], ephemeralContainers = [] } = this.pod.spec
    return [...containers, ...initContainers, ...(ephemeralContainers as readonly Frozen<Container>[])].find(
      (each) => each.name === name,
    )
  }

  logOf(name: string, isPrevious: boolean): ContainerLog | undefined {
    const logs = this.#logs.get(name)
    return isPrevious ? logs?.previous : logs?.current
  }

  surroundingsOf(container: Frozen<Container>): Surroundings {
    const none = new Map<string, string>()
    const looked = {
      env: this.looked?.env.get(container.name) ?? none,
      files: this.looked?.files.get(container.name) ?? none,
    }
    return surroundingsOf(this.pod, container, this.record.podIp, looked, async (path) => {
      const { pod, record } = this
      return await readVolumeFile({ pod, podIp: record.podIp, client: this.#client }, container, path)
    })
  }

  /** Ends all processes and logs. */
  close(): void {
    for (const name of this.#logs.keys()) this.#end(name)
  }

  #begin(name: string): void {
    const log = new ContainerLog()
    this.#logs.set(name, { current: log, previous: this.#logs.get(name)?.current })
    const container = this.containerNamed(name)
    if (!container) return
    this.#accompany(name, container)
    if (!this.behaviour.container(container).hasProcess) {
      log.write(
        'stdout',
        `${name} (${container.image ?? ''}) runs on ${this.pod.spec.nodeName ?? ''}\n`,
        this.#clock.now(),
      )
      return
    }
    const stop = new AbortController()
    this.#processes.set(name, stop)
    const { id } = this.record.containers.get(name) ?? {}
    const around = this.surroundingsOf(container)
    void runProcess(container, around, log, this.#clock, stop.signal)
      .catch(() => 1)
      .then((exitCode) => {
        if (!stop.signal.aborted) this.#exited(name, id ?? '', exitCode)
      })
  }

  /** Runs the hook and the probes of a container while it runs. */
  #accompany(name: string, container: Frozen<Container>): void {
    const { startupProbe, readinessProbe, livenessProbe, lifecycle } = container
    // Most containers have none.
    if (!(startupProbe ?? readinessProbe ?? livenessProbe ?? lifecycle?.postStart)) return
    const { id = '' } = this.record.containers.get(name) ?? {}
    const stop = new AbortController()
    this.#companions.get(name)?.abort(stopped)
    this.#companions.set(name, stop)
    const note = (change: Partial<ContainerRecord>): void => {
      const known = this.record.containers.get(name)
      if (known?.id !== id || known.finished) return
      this.record = withContainer(this.record, name, { ...known, ...change })
      this.#owner.changed()
    }
    void accompany(
      container,
      this.behaviour.container(container),
      {
        clock: this.#clock,
        run: async (command, timeoutMs, signal) =>
          await runBriefly(this.#clock, command, this.surroundingsOf(container), timeoutMs, signal),
        note,
        event: (type, reason, message) => this.#owner.event(type, reason, message),
        kill: () => this.#exited(name, id, killed),
      },
      stop.signal,
    ).catch((error: unknown) => {
      if (!stop.signal.aborted) this.#owner.event('Warning', 'Unhealthy', String(error))
    })
  }

  #exited(name: string, id: string, exitCode: number): void {
    const known = this.record.containers.get(name)
    this.#end(name)
    if (known?.id !== id || known.finished) return
    const { startedAtMs } = known
    const finished = { id, startedAtMs, finishedAtMs: this.#clock.now(), exitCode }
    this.record = withContainer(this.record, name, { ...known, finished })
    this.#owner.changed()
  }

  #end(name: string): void {
    this.#processes.get(name)?.abort(stopped)
    this.#companions.get(name)?.abort(stopped)
    this.#companions.delete(name)
    this.#processes.delete(name)
    this.#logs.get(name)?.current.end(this.#clock.now())
  }
}

/** True where a behaviour of both pods is the same. */
function isSameSpec(left: Frozen<Pod>, right: Frozen<Pod>): boolean {
  if (left === right) return true
  const { generation, annotations } = left.metadata
  return (
    generation !== undefined &&
    generation === right.metadata.generation &&
    deepEqual(annotations, right.metadata.annotations)
  )
}
