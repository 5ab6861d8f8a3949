import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programVersion } from '../../cmd/apiserver/build.ts'
import { configure } from '../../cmd/apiserver/configure.ts'
import { apiserverFlags } from '../../cmd/apiserver/flags.ts'
import { checkFlags } from '../../cmd/apiserver/rules.ts'
import { processEnvironment } from '../../cmd/processenvironment.ts'
import { type Logger, silentLogger, systemClock, systemRandom } from '../../lib/base/index.ts'
import { type Apiserver, composeApiserver } from '../../lib/controlplane/index.ts'
import { parseFlags } from '../../lib/flags/index.ts'
import { createMetrics, type MetricsRegistry } from '../../lib/observe/index.ts'
import { adminToken } from './apiserver.ts'
import { freePort } from './ports.ts'

/**
 * An API server in this process, from flags as an operator gives them, over a store in memory. Its administrator has
 * `adminToken`; lines of `tokens` are added to the token file. Rejects as the program would with one line.
 */
export async function startComposed(
  folder: string,
  flags: readonly string[],
  {
    tokens = [],
    log = silentLogger,
    metrics = createMetrics(),
    hostName,
  }: {
    tokens?: readonly string[]
    log?: Logger
    metrics?: MetricsRegistry
    /** Default: this machine's; replicas beside each other need one each. */
    hostName?: string
  } = {},
): Promise<Apiserver> {
  const tokenFile = join(folder, 'tokens.csv')
  writeFileSync(tokenFile, [`${adminToken},admin,admin,"system:masters"`, ...tokens].join('\n'))
  const parsed = parseFlags(apiserverFlags, [
    ...(flags.some((flag) => flag.startsWith('--storage-backend=')) ? [] : ['--storage-backend=memory']),
    '--bind-address=127.0.0.1',
    `--secure-port=${await freePort()}`,
    `--cert-dir=${join(folder, 'certs')}`,
    `--token-auth-file=${tokenFile}`,
    ...flags,
  ])
  checkFlags(parsed)
  const services = { clock: systemClock, random: systemRandom }
  const config = await configure(parsed.values, services, programVersion, parsed.given)
  const server = await composeApiserver(
    { ...config, ...(hostName !== undefined && { hostName }), server: { ...config.server, shutdownLimitMs: 1000 } },
    { ...processEnvironment, ...services, log, metrics },
  )
  await server.started
  return server
}
