import type { Duplex, Writable } from 'node:stream'
import type { Container } from '../../../api/gen/core/v1.ts'
import { type Clock, Pauses } from '../../base/index.ts'
import type { Frozen } from '../../object/index.ts'
import type { HollowPod } from '../pods/hollowpod.ts'
import { isRunning } from '../pods/record.ts'
import { isInteractiveShell, type ProcessIo, runCommand, UnknownProgram } from '../shell/run.ts'
import type { CommandEnd, CommandStreams, StreamBackend } from './streams.ts'

/** Finds pods by `namespace/name`. */
export type FindPod = (key: string) => HollowPod | undefined

/** Characters of a shell's input that wait for the end of their line. */
const inputCharactersMax = 64 * 1024
/** Exit codes of shells. */
const killed = 137

/** Commands and ports of hollow pods: commands run in a small shell, and every port answers with what it is sent. */
export function createCommands(clock: Clock, find: FindPod): StreamBackend {
  /** A path is `namespace/pod/container`, or has the pod's uid before the container. */
  const target = (path: string): { pod: HollowPod; container: string } => {
    const parts = path.split('/').map(decodeURIComponent)
    const pod = find(`${parts[0] ?? ''}/${parts[1] ?? ''}`)
    if (!pod) throw new Error(`pod does not exist`)
    const container = parts.at(-1) ?? ''
    if (!isRunning(pod.record.containers.get(container))) throw new Error(`container not found ("${container}")`)
    return { pod, container }
  }

  return {
    async execute(path, command, streams) {
      const { pod, container } = target(path)
      const of = pod.containerNamed(container)
      if (!of) throw new Error(`container not found ("${container}")`)
      const io = ioOf(streams, clock, pod.surroundingsOf(of))
      try {
        const exitCode = isInteractiveShell(command) ? await interact(streams, io) : await runCommand(command, io)
        return { exitCode }
      } catch (error) {
        if (streams.signal.aborted) return { exitCode: killed }
        if (error instanceof UnknownProgram)
          return { failure: `error executing command in container: ${error.message}: unknown` }
        throw error
      }
    },
    async attach(path, streams) {
      const { pod, container } = target(path)
      const of = pod.containerNamed(container)
      if (of && isShellWithInput(of)) {
        const io = ioOf(streams, clock, pod.surroundingsOf(of))
        return { exitCode: await interact(streams, io).catch(() => killed) }
      }
      streams.stdin?.resume()
      return await followOutput(pod, container, streams)
    },
    forward(path, port, stream, connected) {
      const pod = find(path.split('/').slice(0, 2).map(decodeURIComponent).join('/'))
      if (!pod) return connected(new Error('pod does not exist'))
      if (!Number.isInteger(port) || port < 1) return connected(new Error('no such port'))
      connected()
      echo(stream)
    },
  }
}

/** A debug container: with an input, and its image's command, which is taken for a shell, or a shell. */
function isShellWithInput({ stdin, command = [], args = [] }: Frozen<Container>): boolean {
  const line = [...command, ...args]
  return stdin === true && (line.length === 0 || isInteractiveShell(line))
}

function ioOf(streams: CommandStreams, clock: Clock, around: Pick<ProcessIo, 'env' | 'files' | 'hostname'>): ProcessIo {
  const { stdin, stdout, stderr, signal, isTty } = streams
  const pauses = new Pauses(clock)
  const write =
    (to: Writable | undefined) =>
    async (data: string | Uint8Array): Promise<void> => {
      signal.throwIfAborted()
      // A terminal moves back to the first column at each line.
      const shown = isTty && typeof data === 'string' ? data.replaceAll('\n', '\r\n') : data
      if (to && !to.destroyed) await new Promise<void>((written) => to.write(shown, () => written()))
    }
  return {
    ...around,
    input: stdin,
    output: write(stdout),
    errors: write(stderr),
    sleep: (delayMs) => clock.sleep(delayMs, signal),
    async turn() {
      signal.throwIfAborted()
      if (pauses.isDue) await pauses.pause()
    },
    now: () => clock.now(),
  }
}

/** A shell that reads its commands from the input, a line at a time. */
async function interact({ stdin, isTty }: CommandStreams, io: ProcessIo): Promise<number> {
  const prompt = async (): Promise<void> => {
    if (isTty) await io.output('/ # ')
  }
  let text = ''
  let code = 0
  await prompt()
  for await (const chunk of stdin ?? []) {
    const typed = Buffer.from(chunk as Uint8Array).toString()
    if (isTty) await io.output(typed.replaceAll('\r', '\n'))
    text += typed.replaceAll('\r', '\n')
    if (text.length > inputCharactersMax) {
      await io.errors('sh: the input is too long\n')
      return 2
    }
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      const line = text.slice(0, end).trim()
      text = text.slice(end + 1)
      const exit = /^exit(?:\s+(\d+))?$/.exec(line)
      if (exit || line === '\u0004') return exit?.[1] === undefined ? code : Number(exit[1]) & 0xff
      if (line !== '') code = await runCommand(['sh', '-c', line], { ...io, input: undefined })
      await prompt()
    }
    if (isTty && text.includes('\u0004')) return code
  }
  if (text.trim() !== '') code = await runCommand(['sh', '-c', text], { ...io, input: undefined })
  return code
}

/** Copies what a container writes from now on, until it ends or the client leaves. */
async function followOutput(
  pod: HollowPod,
  container: string,
  { stdout, stderr, signal }: CommandStreams,
): Promise<CommandEnd> {
  const log = pod.logOf(container, false)
  if (!log) return { failure: `container not found ("${container}")` }
  await new Promise<void>((ended) => {
    const stop = log.follow((line) => {
      if (line === undefined) ended()
      else (line.stream === 'stderr' ? stderr : stdout)?.write(line.text)
    })
    signal.addEventListener('abort', () => {
      stop()
      ended()
    })
  })
  return { exitCode: pod.record.containers.get(container)?.finished?.exitCode ?? 0 }
}

function echo(stream: Duplex): void {
  stream.pipe(stream)
}
