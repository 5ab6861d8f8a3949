import type { AdmissionPlugin } from '../../admission/index.ts'
import { hashForMetrics } from '../../authn/index.ts'
import {
  type Authorizer,
  type AuthorizersConfig,
  configOfModes,
  createAuthorizer,
  createEscalationCheck,
  createRbac,
  createRuleResolver,
  parseAuthorizationConfig,
  type RuleResolver,
} from '../../authz/index.ts'
import { type Closable, followFiles } from '../../base/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { ApiserverConfig } from '../config.ts'
import { createConfigCodec } from '../configcodec.ts'
import { serverId } from '../peers/serverid.ts'
import { reasonOf, StartError } from '../process/failure.ts'
import type { ServerServices } from '../serverservices.ts'
import { type AuthorizerFactory, type AuthorizerSet, createAuthorizers, type Lasting } from './authorizers.ts'
import { escalationGuard, followPolicy, readPolicy } from './escalation.ts'

/** The server's authorization and its parts. */
export interface Authorization extends Closable {
  readonly authorizer: Authorizer
  readonly resolver: RuleResolver
  /** Comes after all other mutating plugins. */
  readonly guard: AdmissionPlugin
  readonly usesRbac: boolean
}

const pollMs = 5000
/** How long requests in flight may use webhooks that the configuration no longer has. */
const retireMs = 60_000

/** Resolves when the authorizers know the stored objects. The caches are loaded already. Rejects with StartError. */
export async function composeAuthorization(
  config: ApiserverConfig,
  services: ServerServices,
  registry: Registry,
): Promise<Authorization> {
  const { clock, metrics } = services
  const log = services.log.named('authorization')
  const opened = new AsyncDisposableStack()
  try {
    const rbac = createRbac({ log })
    opened.defer(await followPolicy({ clock, log }, registry, rbac.listeners))
    const lasting: Lasting = { config, services: { ...services, log }, registry, rbac: rbac.authorizer }
    const parts = await openAuthorizers(lasting)
    opened.defer(parts.close)
    // Its members change with the configuration; a request sees one or the other.
    const authorizer = createAuthorizer({ clock, metrics }, () => parts.current().members)
    const check = createEscalationCheck({
      authorizer,
      policy: rbac.policy,
      fresh: (namespace, signal) => readPolicy(registry, namespace, signal),
    })
    return {
      authorizer,
      resolver: createRuleResolver(() => parts.current().members.map((member) => member.authorizer)),
      guard: escalationGuard(check),
      usesRbac: parts.current().members.some(({ type }) => type === 'RBAC'),
      close: () => opened.disposeAsync(),
    }
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

/** The authorizers of the flags, or of a followed file. */
async function openAuthorizers(lasting: Lasting): Promise<{ current(): AuthorizerSet; close(): Promise<void> }> {
  const { file, modes, webhook } = lasting.config.authorization
  if (file !== undefined) return await followAuthorizers(lasting, file)
  const config = configOfModes(modes, webhook)
  const factory = await createAuthorizers(lasting, config)
  const set = await buildFirst(factory, config)
  return {
    current: () => set,
    async close() {
      await set.close()
      await factory.close()
    },
  }
}

async function followAuthorizers(
  lasting: Lasting,
  path: string,
): Promise<{ current(): AuthorizerSet; close(): Promise<void> }> {
  let factory: AuthorizerFactory | undefined
  const followed = await followFiles<AuthorizerSet>(lasting.services, {
    what: 'authorization configuration',
    paths: [path],
    pollMs,
    retireAfterMs: retireMs,
    metrics: {
      prefix: 'apiserver_authorization_config_controller',
      stability: 'BETA',
      labels: { apiserver_id_hash: hashForMetrics(serverId(lasting.config.hostName)) },
    },
    async load(textOf) {
      const config = parseAuthorizationConfig(textOf(path), createConfigCodec())
      if (factory !== undefined) return await factory.build(config)
      factory = await createAuthorizers(lasting, config)
      return await buildFirst(factory, config)
    },
    retire: (former) => former.close(),
  }).catch((error: unknown) => {
    if (error instanceof StartError) throw error
    throw new StartError(`--authorization-config: ${path}: ${reasonOf(error)}`, { cause: error })
  })
  return {
    current: () => followed.current(),
    async close() {
      await followed.close()
      await factory?.close()
    },
  }
}

async function buildFirst(factory: AuthorizerFactory, config: AuthorizersConfig): Promise<AuthorizerSet> {
  try {
    return await factory.build(config)
  } catch (error) {
    await factory.close()
    throw new StartError(`the authorizers can't be made: ${reasonOf(error)}`, { cause: error })
  }
}
