import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ThreadData } from './messages.ts'
import { type LargeWorker, workerEnvironment } from './startworker.ts'
import type { MessageEnd } from './workerchannel.ts'

/** V8 ends a process without memory by this signal; a shell would report 134. */
const outOfMemory = { signal: 'SIGABRT', code: 134 }

/** As in startworker.ts, a process, whose first message has the data. Messages are copied. */
export function startWorker(program: URL, data: ThreadData, heapMegabytesMax: number): LargeWorker {
  const line = [`--max-old-space-size=${heapMegabytesMax}`, fileURLToPath(program)]
  const child = spawn(process.execPath, line, {
    env: workerEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const worker: LargeWorker = {
    on: (event: string, receive: (what: never) => void) => listen(child, event, receive),
    // A failure is that of a process that ends, which its `exit` shows.
    postMessage: (message) => void child.send(message as object, () => {}),
    unref() {
      child.unref()
      child.channel?.unref()
    },
    async terminate() {
      child.kill('SIGKILL')
      await ended
    },
  }
  worker.postMessage(data, [])
  return worker
}

function listen(child: ChildProcess, event: string, receive: (what: never) => void): void {
  if (event !== 'error') return void child.on(event, receive as () => void)
  child.on('error', receive as (error: Error) => void)
  child.prependListener('exit', (code, signal) => {
    if (signal !== outOfMemory.signal && code !== outOfMemory.code) return
    receive(Object.assign(new Error('out of memory'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }) as never)
  })
}

/** The other end and the data, in a process that startWorker made; undefined in others. Ends with its parent. */
export function parentProcess(): { readonly port: MessageEnd; readonly data: Promise<ThreadData> } | undefined {
  if (process.send === undefined) return undefined
  process.once('disconnect', () => process.exit())
  return {
    port: {
      on: (event, receive) => process.on(event, receive),
      postMessage: (message) => void process.send?.(message, undefined, undefined, () => {}),
    },
    data: new Promise((resolve) => process.once('message', (data) => resolve(data as ThreadData))),
  }
}
