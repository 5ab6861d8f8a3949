import type { Container, Pod } from '../../../api/gen/core/v1.ts'
import type { Clock } from '../../base/index.ts'
import type { Client } from '../../client/index.ts'
import { deepEqual, type Frozen } from '../../object/index.ts'
import { accompany } from './accompany.ts'
import { type Advance, advance, graceMsOf, recordOf } from './advance.ts'
import { behaviourOf, type PodBehaviour } from './behaviour.ts'
import { runBriefly } from './command.ts'
import { WrittenFiles } from './containerfiles.ts'
import { ContainerLog } from './containerlog.ts'
import { type HookTools, runHook } from './hooks.ts'
import type { Looked } from './lookup.ts'
import { runProcess, type Surroundings, surroundingsOf } from './process.ts'
import { type ContainerRecord, isRunning, type PodRecord, withContainer } from './record.ts'
import { type FilesOf, readVolumeFile, readVolumeFiles } from './volumefiles.ts'

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
  /** Files that the current runs of containers were given. */
  readonly #written = new Map<string, WrittenFiles>()
  readonly #processes = new Map<string, AbortController>()
  /** Ends the hooks and probes of a container. */
  readonly #companions = new Map<string, AbortController>()
  /** Ends the hook before a container's stop. */
  readonly #hooks = new Map<string, AbortController>()
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
    for (const [name, graceMs] of after.hooksBegun) void this.#beforeStop(name, graceMs)
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
    const of = (): FilesOf => ({ pod: this.pod, podIp: this.record.podIp, client: this.#client })
    const written = this.#written.get(container.name) ?? new WrittenFiles()
    this.#written.set(container.name, written)
    return surroundingsOf(this.pod, container, this.record.podIp, looked, written, {
      get: async (path) => await readVolumeFile(of(), container, path),
      below: async (folder) => await readVolumeFiles(of(), container, folder),
    })
  }

  /** Ends all processes and logs. */
  close(): void {
    for (const name of this.#logs.keys()) this.#end(name)
  }

  #begin(name: string): void {
    const log = new ContainerLog()
    this.#logs.set(name, { current: log, previous: this.#logs.get(name)?.current })
    this.#written.delete(name)
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
    void accompany(
      container,
      this.behaviour.container(container),
      {
        ...this.#hookTools(container),
        note: (change) => this.#note(name, id, change),
        // A container that is stopped needs no further reason.
        kill: () => {
          if (this.record.containers.get(name)?.stoppingSinceMs === undefined) void this.#kill(name, id)
        },
      },
      stop.signal,
    ).catch((error: unknown) => {
      if (!stop.signal.aborted) this.#owner.event('Warning', 'Unhealthy', String(error))
    })
  }

  #hookTools(container: Frozen<Container>): HookTools {
    return {
      clock: this.#clock,
      run: async (command, timeoutMs, signal) =>
        await runBriefly(this.#clock, command, this.surroundingsOf(container), timeoutMs, signal),
      event: (type, reason, message) => this.#owner.event(type, reason, message),
    }
  }

  /** Changes the record of a container that still runs. */
  #note(name: string, id: string, change: Partial<ContainerRecord>): void {
    const known = this.record.containers.get(name)
    if (known?.id !== id || known.finished) return
    this.record = withContainer(this.record, name, { ...known, ...change })
    this.#owner.changed()
  }

  /** Kills a container that its probes have given up, after its hook. */
  async #kill(name: string, id: string): Promise<void> {
    await this.#beforeStop(name, graceMsOf(this.pod))
    this.#exited(name, id, killed)
  }

  /** Runs the hook before a container's stop, once, and records its end. Never rejects. */
  async #beforeStop(name: string, graceMs: number): Promise<void> {
    const container = this.containerNamed(name)
    const preStop = container?.lifecycle?.preStop
    const { id = '' } = this.record.containers.get(name) ?? {}
    if (!container || !preStop || graceMs === 0 || this.#hooks.has(name)) return
    const stop = new AbortController()
    this.#hooks.set(name, stop)
    try {
      await runHook('PreStop', preStop, this.#hookTools(container), graceMs, stop.signal)
    } catch (error) {
      if (stop.signal.aborted) return
      this.#owner.event('Warning', 'FailedPreStopHook', `PreStopHook failed: ${String(error)}`)
    }
    this.#note(name, id, { hookEndedAtMs: this.#clock.now() })
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
    this.#hooks.get(name)?.abort(stopped)
    this.#hooks.delete(name)
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
