import { readFile } from 'node:fs/promises'
import type { AdmissionPlugin } from '../../admission/index.ts'
import {
  type Authorizer,
  type AuthorizersConfig,
  configOfModes,
  createAuthorizer,
  createEscalationCheck,
  createRbac,
  createRuleResolver,
  followConfiguration,
  parseAuthorizationConfig,
  type RuleResolver,
} from '../../authz/index.ts'
import type { Closable } from '../../base/index.ts'
import type { Registry } from '../../registry/index.ts'
import { type AuthorizerSet, createAuthorizers, type Lasting } from './authorizers.ts'
import type { ApiserverConfig } from '../config.ts'
import { createConfigScheme } from '../configscheme.ts'
import { escalationGuard, followPolicy, readPolicy } from './escalation.ts'
import { reasonOf, StartError } from '../failure.ts'
import type { Services } from '../services.ts'

/** The server's authorization in all its parts. */
export interface Authorization extends Closable {
  readonly authorizer: Authorizer
  readonly resolver: RuleResolver
  /** Stands after all other plugins that mutate. */
  readonly guard: AdmissionPlugin
  readonly usesRbac: boolean
}

/** How long requests that are under way may still use webhooks that the configuration no longer has. */
const retireMs = 60_000

/** Resolves when the authorizers know what is stored. The caches have been loaded. Rejects with StartError. */
export async function composeAuthorization(
  config: ApiserverConfig,
  services: Services,
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
    // Its members change with the configuration, of which requests see one or the other.
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

/** The authorizers of the flags, or of a file that is followed. */
async function openAuthorizers(lasting: Lasting): Promise<{ current(): AuthorizerSet; close(): Promise<void> }> {
  const parse = (text: string): AuthorizersConfig => parseAuthorizationConfig(text, createConfigScheme())
  const { file, modes, webhook } = lasting.config.authorization
  const { clock, log, metrics } = lasting.services
  const first = file
    ? readConfig(() => parse(file.text), `--authorization-config: ${file.path}`)
    : configOfModes(modes, webhook)
  const authorizers = await createAuthorizers(lasting, first)
  let current: AuthorizerSet
  try {
    current = await authorizers.build(first)
  } catch (error) {
    await authorizers.close()
    throw new StartError(`the authorizers can't be made: ${reasonOf(error)}`, { cause: error })
  }
  const follower =
    file &&
    followConfiguration(
      {
        clock,
        log,
        metrics,
        serverId: lasting.config.hostName,
        read: () => readFile(file.path, 'utf8'),
        async apply(text) {
          const former = current
          current = await authorizers.build(parse(text))
          clock.after(retireMs, () => void former.close())
        },
      },
      file.text,
    )
  return {
    current: () => current,
    async close() {
      await follower?.close()
      await current.close()
      await authorizers.close()
    },
  }
}

function readConfig(read: () => AuthorizersConfig, about: string): AuthorizersConfig {
  try {
    return read()
  } catch (error) {
    throw new StartError(`${about}: ${reasonOf(error)}`, { cause: error })
  }
}
