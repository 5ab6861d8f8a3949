import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { systemClock } from '../../../lib/base/index.ts'
import {
  type CommandEnd,
  type CommandStreams,
  createKubeletStreams as createStreams,
  type KubeletStreams as Streams,
} from '../../../lib/hollownode/kubelet/streams.ts'

/** The commands and ports of a kubelet's containers: real processes and ports of this machine. */
export interface KubeletStreams extends Streams {
  /** Sizes that terminals were given. */
  readonly sizes: unknown[]
}

interface StreamsOptions {
  /** Where commands run. */
  readonly folder: string
  /** A container's own process, for attach. */
  readonly attached: readonly string[]
}

export function createKubeletStreams({ folder, attached }: StreamsOptions): KubeletStreams {
  const sizes: unknown[] = []
  const run = (command: readonly string[], streams: CommandStreams): Promise<CommandEnd> =>
    execute(command, streams, folder, sizes)
  const streams = createStreams(systemClock, {
    execute: (_path, command, given) => run(command, given),
    attach: (_path, given) => run(attached, given),
    forward(_path, port, stream, connected) {
      const socket = connect(port, '127.0.0.1')
      socket.on('connect', () => connected())
      socket.on('error', connected)
      stream.pipe(socket).pipe(stream)
      stream.on('close', () => socket.destroy())
    },
  })
  return { ...streams, sizes }
}

function execute(
  [program = '', ...args]: readonly string[],
  { stdin, stdout, stderr, signal, onResize }: CommandStreams,
  folder: string,
  sizes: unknown[],
): Promise<CommandEnd> {
  const child = spawn(program, args, { cwd: folder, stdio: 'pipe' })
  if (stdin) stdin.pipe(child.stdin)
  else child.stdin.end()
  child.stdin.on('error', () => {})
  if (stdout) child.stdout.pipe(stdout, { end: false })
  if (stderr) child.stderr.pipe(stderr, { end: false })
  onResize((size) => sizes.push(size))
  signal.addEventListener('abort', () => child.kill())
  return new Promise((ended, failed) => {
    child.on('error', (error) => failed(new Error(`error executing command in container: ${error.message}`)))
    child.on('close', (code) => ended({ exitCode: code ?? 137 }))
  })
}
