import { join } from 'node:path'
import { type Closable, ensureFolder, systemClock, systemRandom } from '../../../lib/base/index.ts'
import {
  checkControllerNames,
  defaultKubelets,
  reasonOf,
  startLocalControllers,
  startLocalNodes,
} from '../../../lib/controlplane/index.ts'
import { FlagError, type ParsedFlags } from '../../../lib/flags/index.ts'
import { programVersion } from '../../apiserver/build.ts'
import { configure } from '../../apiserver/configure.ts'
import { configureObserving } from '../../apiserver/configureobserving.ts'
import { checkFlags, checkServerFlags } from '../../apiserver/rules.ts'
import { runApiserver } from '../../apiserver/run.ts'
import { authorityOf, type Credentials, kubeletClientOf, makeCredentials, writeSafely } from '../credentials.ts'
import { frontProxyClient, frontProxyFlags } from '../frontproxy.ts'
import type { testServerFlags } from './flags.ts'

/** Tests wait for the end of a server; nothing of it is kept. */
const shutdownLimitMs = 0

/** Runs the API server that envtest has started until a signal ends it; returns the exit code. */
export async function serveTests(parsed: ParsedFlags<typeof testServerFlags>): Promise<number> {
  const { given, warnings } = parsed
  const { controllers, nodes } = parsed.values
  const values = {
    ...parsed.values,
    'storage-backend': 'memory',
    'etcd-servers': [],
    'authorization-mode':
      nodes === 0 ? parsed.values['authorization-mode'] : withNode(parsed.values['authorization-mode']),
    // The test's own flag comes after the one of `pilothouse envtest`.
    'emulated-version': parsed.values['emulated-version'].slice(-1),
  }
  checkFlags({ values, given })
  checkServerFlags({ values })
  checkControllers(controllers)
  let credentials: Credentials | undefined
  return await runApiserver({
    program: 'kube-apiserver',
    warnings,
    observe: await configureObserving(values),
    async configure(services) {
      if (nodes === 0) {
        const config = await configure(values, services, programVersion, given)
        return { ...config, server: { ...config.server, shutdownLimitMs } }
      }
      credentials = makeCredentials({ clock: systemClock, random: systemRandom }, [])
      const caFile = join(values['cert-dir'], 'front-proxy-ca.crt')
      ensureFolder(values['cert-dir'], 0o700)
      await writeSafely(caFile, credentials.frontProxy.authority, 0o644)
      const flags = { ...values, ...frontProxyFlags(values, caFile) }
      const config = await configure(flags, services, programVersion, given)
      const server = { ...config.server, shutdownLimitMs }
      const kubelets = { ...(config.kubelets ?? defaultKubelets), client: kubeletClientOf(credentials) }
      return { ...config, server, kubelets, ...frontProxyClient(values, config.aggregation, credentials.frontProxy) }
    },
    async beside(server, { gates, version, emulation }, services) {
      const gate = (name: string): boolean => gates.gate(name)
      const parts: Closable[] = []
      if (controllers.length > 0)
        parts.push(
          await startLocalControllers(server.local, services, {
            wanted: controllers,
            gate,
            release: emulation?.release,
          }),
        )
      if (credentials)
        parts.push(
          await startLocalNodes(server.local, services, {
            count: nodes,
            prefixSetting: '',
            authority: authorityOf(services, credentials),
            version: version.gitVersion,
            schedules: true,
            gate,
          }),
        )
      return { close: async () => void (await Promise.all(parts.map(async (part) => await part.close()))) }
    },
  })
}

/** Nodes write their pods with the rights that only this authorizer gives them. */
function withNode(modes: readonly string[]): string[] {
  const isOpen = modes.length === 0 || modes.includes('AlwaysAllow') || modes.includes('Node')
  return isOpen ? [...modes] : ['Node', ...modes]
}

function checkControllers(names: readonly string[]): void {
  try {
    checkControllerNames(names)
  } catch (error) {
    throw new FlagError(`--controllers: ${reasonOf(error)}`, { cause: error })
  }
}
