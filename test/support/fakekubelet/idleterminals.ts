import { systemClock } from '../../../lib/base/index.ts'
import type { KubeletRoute } from '../../../lib/hollownode/kubelet/server.ts'
import { createKubeletStreams } from '../../../lib/hollownode/kubelet/streams.ts'

/** Terminals that show a prompt and wait, without a process each. */
export function idleTerminals(): readonly KubeletRoute[] {
  const idle = (stdout: NodeJS.WritableStream | undefined, signal: AbortSignal): Promise<{ exitCode: number }> => {
    stdout?.write('$ ')
    return new Promise((done) => signal.addEventListener('abort', () => done({ exitCode: 130 })))
  }
  return createKubeletStreams(systemClock, {
    execute: (_path, _command, { stdout, signal }) => idle(stdout, signal),
    attach: (_path, { stdout, signal }) => idle(stdout, signal),
    forward: (_path, _port, _stream, connected) => connected(new Error('there are no ports')),
  }).routes
}
