import type { Container, Pod } from '../../../api/gen/core/v1.ts'
import { controllerOf } from '../../controller/index.ts'
import { type Frozen, parseDurationMs } from '../../object/index.ts'
import { canRun, isInteractiveShell } from '../shell/run.ts'
import { runsInShell } from './probes.ts'

/** The prefix of annotations that steer a pod: `hollow.pilothouse/ready-delay: 5s`. */
export const annotationPrefix = 'hollow.pilothouse/'

/** The course of a container on a hollow node. */
export interface ContainerBehaviour {
  /** How long it runs; undefined: until it is stopped, or until its command ends. */
  readonly runsForMs: number | undefined
  /** Its command runs in the node's shell, and ends as it ends. */
  readonly hasProcess: boolean
  readonly exitCode: number
  readonly readyDelayMs: number
  readonly startupDelayMs: number
  /** Its probes are commands that really run, and decide. */
  readonly runsStartup: boolean
  readonly runsReadiness: boolean
  readonly stopDelayMs: number
  /** A hook runs before it is asked to end. */
  readonly hasPreStop: boolean
}

/** The course of a pod on a hollow node. */
export interface PodBehaviour {
  /** Time between its arrival at the node and its first container. */
  readonly startDelayMs: number
  /** False: it never becomes ready. */
  readonly mayBeReady: boolean
  /** The reason for which its containers never start. */
  readonly waitingReason: string | undefined
  /** The pause before the second restart of a container; doubled for each further one. */
  readonly crashBackoffMs: number
  container(container: Frozen<Container>): ContainerBehaviour
  /** Annotations that make no sense, in words. */
  readonly problems: readonly string[]
}

const crashBackoffMs = 10_000
/** A Job's container without a command that is known here. */
const jobRunsForMs = 1000

/** Reads the annotations of a pod: `name`, or `name.container` for one container. */
export function behaviourOf(pod: Frozen<Pod>): PodBehaviour {
  const { annotations = {} } = pod.metadata
  const problems: string[] = []
  function read<Value>(name: string, container: string, parse: (text: string) => Value | undefined): Value | undefined {
    const key = [`${annotationPrefix}${name}.${container}`, `${annotationPrefix}${name}`].find((each) =>
      Object.hasOwn(annotations, each),
    )
    const text = key === undefined ? undefined : annotations[key]
    if (text === undefined) return undefined
    const value = parse(text)
    if (value === undefined) problems.push(`${key ?? ''}: ${JSON.stringify(text)} is not understood`)
    return value
  }
  const container = (of: Frozen<Container>): ContainerBehaviour => behaviourOfContainer(pod, of, read)
  // All of them are read once, for their problems.
  for (const each of [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])]) container(each)
  const behaviour = {
    startDelayMs: read('start-delay', '', durationMs) ?? 0,
    mayBeReady: read('ready', '', truth) ?? true,
    waitingReason: read('waiting-reason', '', reason),
    crashBackoffMs: read('crash-backoff', '', durationMs) ?? crashBackoffMs,
    problems: [...new Set(problems)],
  }
  return { ...behaviour, container }
}

type Read = <Value>(name: string, container: string, parse: (text: string) => Value | undefined) => Value | undefined

function behaviourOfContainer(pod: Frozen<Pod>, of: Frozen<Container>, read: Read): ContainerBehaviour {
  const seconds = (count: number | undefined): number => (count ?? 0) * 1000
  const runMs = read('run-for', of.name, durationMs)
  const code = read('exit-code', of.name, exitCode)
  const readyMs = read('ready-delay', of.name, durationMs)
  const startupMs = read('startup-delay', of.name, durationMs)
  return {
    runsForMs: runMs ?? runsForMs(pod, of),
    hasProcess: hasProcess(of),
    exitCode: code ?? 0,
    readyDelayMs: readyMs ?? seconds(of.readinessProbe?.initialDelaySeconds),
    startupDelayMs: startupMs ?? seconds(of.startupProbe?.initialDelaySeconds),
    // Annotations take precedence over probes.
    runsStartup: startupMs === undefined && runsInShell(of.startupProbe),
    runsReadiness: readyMs === undefined && runsInShell(of.readinessProbe),
    stopDelayMs: read('stop-delay', of.name, durationMs) ?? 0,
    hasPreStop: of.lifecycle?.preStop !== undefined,
  }
}

/** The command line; empty where the image decides. */
export function commandLine({ command = [], args = [] }: Pick<Frozen<Container>, 'command' | 'args'>): string[] {
  return command.length === 0 ? [] : [...command, ...args]
}

function hasProcess(of: Frozen<Container>): boolean {
  const line = commandLine(of)
  return line.length > 0 && !isInteractiveShell(line) && canRun(line)
}

/** An init container is over at once, and a Job's soon, where neither its command nor an annotation says more. */
function runsForMs(pod: Frozen<Pod>, of: Frozen<Container>): number | undefined {
  if (hasProcess(of)) return undefined
  const isInit = pod.spec.initContainers?.some(({ name }) => name === of.name) === true
  if (isInit) return of.restartPolicy === 'Always' ? undefined : 0
  return controllerOf(pod)?.kind === 'Job' ? jobRunsForMs : undefined
}

/** A duration in Go's form: `1m30s`. */
function durationMs(text: string): number | undefined {
  try {
    const ms = parseDurationMs(text)
    return ms >= 0 ? ms : undefined
  } catch {
    return undefined
  }
}

function truth(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined
}

function exitCode(text: string): number | undefined {
  return /^\d{1,3}$/.test(text) && Number(text) <= 255 ? Number(text) : undefined
}

function reason(text: string): string | undefined {
  return /^[A-Za-z]{1,63}$/.test(text) ? text : undefined
}
