import { checkControllerNames, reasonOf, startLocalControllers } from '../../../lib/controlplane/index.ts'
import { FlagError, type ParsedFlags } from '../../../lib/flags/index.ts'
import { programVersion } from '../../apiserver/build.ts'
import { configure } from '../../apiserver/configure.ts'
import { configureObserving } from '../../apiserver/configureobserving.ts'
import { checkFlags, checkServerFlags } from '../../apiserver/rules.ts'
import { runApiserver } from '../../apiserver/run.ts'
import type { testServerFlags } from './flags.ts'

/** Tests wait for the end of a server; nothing of it is kept. */
const shutdownLimitMs = 0

/** Runs the API server that envtest has started until a signal ends it; returns the exit code. */
export async function serveTests(parsed: ParsedFlags<typeof testServerFlags>): Promise<number> {
  const { given, warnings } = parsed
  const { controllers } = parsed.values
  const values = {
    ...parsed.values,
    'storage-backend': 'memory',
    'etcd-servers': [],
    // The test's own flag comes after the one of `pilothouse envtest`.
    'emulated-version': parsed.values['emulated-version'].slice(-1),
  }
  checkFlags({ values, given })
  checkServerFlags({ values })
  checkControllers(controllers)
  return await runApiserver({
    program: 'kube-apiserver',
    warnings,
    observe: await configureObserving(values),
    async configure(services) {
      const config = await configure(values, services, programVersion, given)
      return { ...config, server: { ...config.server, shutdownLimitMs } }
    },
    async beside(server, { gates, emulation }, services) {
      if (controllers.length === 0) return { close() {} }
      return await startLocalControllers(server.local, services, {
        wanted: controllers,
        gate: (name) => gates.gate(name),
        release: emulation?.release,
      })
    },
  })
}

function checkControllers(names: readonly string[]): void {
  try {
    checkControllerNames(names)
  } catch (error) {
    throw new FlagError(`--controllers: ${reasonOf(error)}`, { cause: error })
  }
}
