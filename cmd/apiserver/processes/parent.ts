import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import { FlagError } from '../../../lib/flags/index.ts'
import { keepAliveDuring } from '../../keepaliveduring.ts'
import { crashLoudly, firstSignal } from '../../lifetime.ts'
import { ownCommand } from '../../owncommand.ts'
import type { ApiserverFlags } from '../flags.ts'
import { logConfig } from '../logconfig.ts'
import { createObserving } from '../observing.ts'
import { type Child, ProcessGroup } from './group.ts'
import { type FromChild, markName } from './messages.ts'

/**
 * Runs an API server as `count` processes, children of this one, until a signal ends it; returns the exit code. SIGTERM
 * and SIGINT stop it gracefully, a second one at once.
 */
export async function serveInProcesses(program: string, count: number, flags: ApiserverFlags): Promise<number> {
  if (!flags['permit-port-sharing']) await refuseTakenPort(flags['bind-address'] || '0.0.0.0', flags['secure-port'])
  const observing = await createObserving({ ...logConfig(flags), metrics: {} })
  const { log, metrics } = observing
  crashLoudly(observing, program)
  const group = new ProcessGroup(
    {
      clock: systemClock,
      random: systemRandom,
      log: log.named('processes'),
      metrics,
      start: (index) => startChild(program, index),
    },
    { count, drainMsMax: flags['request-timeout'] + flags['shutdown-watch-termination-grace-period'] },
  )
  void firstSignal(observing, () => group.kill()).then((signal) => {
    log.info('stopping', { signal })
    group.stop()
  })
  try {
    return await keepAliveDuring(() => group.run())
  } finally {
    observing.close()
  }
}

/** The children share the port, and would share it with another server of this user, too. Rejects with FlagError. */
async function refuseTakenPort(host: string, port: number): Promise<void> {
  const probe = createServer()
  try {
    probe.listen({ host, port, exclusive: true })
    await once(probe, 'listening')
    await new Promise((resolve) => probe.close(resolve))
  } catch (error) {
    // The children report other reasons.
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new FlagError(`can't listen on ${host}, port ${port}: the address is in use`, { cause: error })
  }
}

/** The same program with the same flags; what marks it as a child, and a channel to it. */
function startChild(program: string, index: number): Child {
  const [node = process.execPath, ...words] = ownCommand()
  const child = spawn(node, [...words, ...process.argv.slice(2)], {
    // By this name the binary knows which of its programs it is.
    argv0: program,
    env: { ...process.env, [markName]: String(index) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  return {
    pid: child.pid,
    send(message) {
      // A failure is that of a child that ends, which is seen in another way.
      if (child.connected) child.send(message, () => {})
    },
    onMessage: (receive) => void child.on('message', (message) => receive(message as FromChild)),
    ended: endOf(child),
    kill: () => void child.kill('SIGKILL'),
  }
}

/** A program that can't be started ends, too. */
function endOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 1))
    child.once('error', (error) => resolve(error.message))
  })
}
