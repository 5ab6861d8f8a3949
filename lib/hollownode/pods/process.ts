import type { Container, Pod } from '../../../api/gen/core/v1.ts'
import { type Clock, Pauses } from '../../base/index.ts'
import type { Frozen } from '../../object/index.ts'
import { type ProcessIo, runCommand } from '../shell/run.ts'
import { commandLine } from './behaviour.ts'
import { containerFiles, type VolumeFiles, WrittenFiles } from './containerfiles.ts'
import type { ContainerLog } from './containerlog.ts'
import { fieldOf, resourceFieldOf } from './fields.ts'
import { readOnlyMounts } from './volumefiles.ts'

/** The environment and files of a container's commands. */
export type Surroundings = Pick<ProcessIo, 'env' | 'files' | 'hostname'>

/** Runs a container's command into its log; resolves with its exit code, or with 143 once it is stopped. */
export async function runProcess(
  container: Frozen<Container>,
  around: Surroundings,
  log: ContainerLog,
  clock: Clock,
  signal: AbortSignal,
): Promise<number> {
  const pauses = new Pauses(clock)
  const write =
    (stream: 'stdout' | 'stderr') =>
    (data: string | Uint8Array): void => {
      signal.throwIfAborted()
      log.write(stream, typeof data === 'string' ? data : Buffer.from(data).toString(), clock.now())
    }
  try {
    return await runCommand(commandLine(container), {
      ...around,
      input: undefined,
      output: write('stdout'),
      errors: write('stderr'),
      sleep: (delayMs) => clock.sleep(delayMs, signal),
      async turn() {
        signal.throwIfAborted()
        if (pauses.isDue) await pauses.pause()
      },
      now: () => clock.now(),
    })
  } catch (error) {
    if (signal.aborted) return 143
    throw error
  }
}

/** The environment of a container: values that were looked up, and what the pod says itself. */
export function surroundingsOf(
  pod: Frozen<Pod>,
  container: Pick<Frozen<Container>, 'env'> & Partial<Pick<Frozen<Container>, 'resources' | 'volumeMounts'>>,
  podIp: string,
  looked: { readonly env: ReadonlyMap<string, string>; readonly files: ReadonlyMap<string, string> },
  written = new WrittenFiles(),
  volumes?: VolumeFiles,
): Surroundings {
  const hostname = pod.spec.hostname ?? pod.metadata.name ?? ''
  const env = new Map([
    ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    ['HOSTNAME', hostname],
    ['HOME', '/root'],
    ...looked.env,
  ])
  for (const { name = '', value, valueFrom } of container.env ?? []) {
    const path = valueFrom?.fieldRef?.fieldPath
    if (path !== undefined) env.set(name, fieldOf(pod, path, podIp))
    else if (valueFrom?.resourceFieldRef) env.set(name, resourceFieldOf(container, valueFrom.resourceFieldRef))
    else if (valueFrom === undefined) env.set(name, expandReferences(value ?? '', env))
  }
  const files = new Map([
    ['/etc/hostname', `${hostname}\n`],
    ['/etc/hosts', `127.0.0.1\tlocalhost\n${podIp}\t${hostname}\n`],
    ...looked.files,
  ])
  return { env, files: containerFiles(written, files, volumes, readOnlyMounts(pod, container.volumeMounts)), hostname }
}

/** Characters of one variable; values that refer to each other could double without end. */
const valueCharactersMax = 128 * 1024

/** Replaces `$(NAME)` by the variables before it; the result is cut at its maximum. */
function expandReferences(value: string, env: ReadonlyMap<string, string>): string {
  let text = ''
  let at = 0
  for (const { 0: reference, 1: name = '', index } of value.matchAll(/\$\(([A-Za-z_]\w*)\)/g)) {
    text += value.slice(at, index) + (env.get(name) ?? reference)
    at = index + reference.length
    if (text.length > valueCharactersMax) return text.slice(0, valueCharactersMax)
  }
  return text + value.slice(at)
}
