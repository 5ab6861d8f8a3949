/** The end of a container's process. */
export interface Finished {
  readonly startedAtMs: number
  readonly finishedAtMs: number
  readonly exitCode: number
  /** Its `containerID`. */
  readonly id: string
}

/** One container of a pod as its node has it. */
export interface ContainerRecord {
  readonly id: string
  readonly startedAtMs: number
  readonly restartCount: number
  /** Results of probes that run; absent until the first one. */
  readonly hasStarted?: boolean
  readonly isReady?: boolean
  /** Since when it is asked to end. */
  readonly stoppingSinceMs?: number
  /** When its hook before the stop had ended. */
  readonly hookEndedAtMs?: number
  /** Absent while it runs. */
  readonly finished?: Finished
  /** The end of the run before this one. */
  readonly last?: Finished
}

/** The work that a node has done for a pod. Records are values: a change makes another one. */
export interface PodRecord {
  readonly acceptedAtMs: number
  readonly podIp: string
  /** By name: init containers, containers and ephemeral ones. */
  readonly containers: ReadonlyMap<string, ContainerRecord>
}

export function isRunning(record: ContainerRecord | undefined): record is ContainerRecord {
  return record !== undefined && record.finished === undefined
}

export function withContainer(record: PodRecord, name: string, container: ContainerRecord): PodRecord {
  return { ...record, containers: new Map(record.containers).set(name, container) }
}
