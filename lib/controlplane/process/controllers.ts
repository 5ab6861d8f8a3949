import { serviceAccountGroups } from '../../authn/index.ts'
import type { Clock, Logger, Metrics, Random } from '../../base/index.ts'
import {
  createClient,
  createLoopbackTransport,
  type LocalApi,
  type Transport,
  withRetryAfter,
} from '../../client/index.ts'
import {
  type ControllerSettings,
  defaultControllerSettings,
  type Manager,
  selectControllers,
  startControllers,
} from '../../controller/index.ts'
import { controllers } from '../../controllers/index.ts'
import type { Release } from '../../features/index.ts'
import { StatusError } from '../../object/index.ts'
import { authenticatedGroup, mastersGroup, type UserInfo } from '../../request/index.ts'

interface LocalControllersOptions {
  /** The value of `--controllers`: `*`, names, and `-` before those to leave out. */
  readonly wanted: readonly string[]
  readonly settings?: Partial<ControllerSettings>
  gate(name: string): boolean
  /** As in startControllers. */
  readonly release?: Release | undefined
}

const systemNamespace = 'kube-system'

/** Starts controllers in the process of their API server: each uses its own service account, without a socket. */
export async function startLocalControllers(
  api: LocalApi,
  services: { readonly clock: Clock; readonly random: Random; readonly log: Logger; readonly metrics: Metrics },
  { wanted, settings = {}, gate, release }: LocalControllersOptions,
): Promise<Manager> {
  const connect = (account: string, isShared = false): Transport => {
    const userAgent = account === '' ? 'kube-controller-manager' : `kube-controller-manager/${account}`
    return withRetryAfter(
      createLoopbackTransport(api, { user: userOf(isShared ? '' : account), userAgent, managedFields: false }),
      services,
    )
  }
  const chosen = selectControllers(controllers, wanted)
  await whenAuthorized(connect('generic-garbage-collector'), services.clock)
  const log = services.log.named('controllers')
  return await startControllers({ ...services, log, connect, gate, release }, chosen, {
    settings: { ...defaultControllerSettings, ...settings },
  })
}

/** Time limit until an authorizer sees the roles that the start has created. */
const authorizedMsMax = 5000
const authorizedPollMs = 5

/**
 * Resolves once an account may read discovery: roles are stored before the authorizer, which follows them, sees them,
 * and some controllers read it at once. If an authorizer never allows it, they find that out themselves.
 */
async function whenAuthorized(transport: Transport, clock: Clock): Promise<void> {
  const client = createClient(transport)
  const startedMs = clock.monotonicMs()
  try {
    while (clock.monotonicMs() - startedMs < authorizedMsMax) {
      const isForbidden = await client.document('/api').then(
        () => false,
        (error: unknown) => error instanceof StatusError && error.code === 403,
      )
      if (!isForbidden) return
      await new Promise<void>((resolve) => void clock.after(authorizedPollMs, resolve))
    }
  } finally {
    await client.close()
  }
}

/** The informers, which the controllers share, read everything. */
function userOf(account: string): UserInfo {
  if (account === '')
    return { name: 'system:kube-controller-manager', uid: '', groups: [mastersGroup, authenticatedGroup], extra: {} }
  return {
    name: `system:serviceaccount:${systemNamespace}:${account}`,
    uid: '',
    groups: [...serviceAccountGroups(systemNamespace), authenticatedGroup],
    extra: {},
  }
}

/** Checks the names in `--controllers`. Throws RangeError for unknown ones. */
export function checkControllerNames(wanted: readonly string[]): void {
  selectControllers(controllers, wanted)
}

/** True: `--controllers` selects the one of that name. */
export function startsController(wanted: readonly string[], name: string): boolean {
  return selectControllers(controllers, wanted).some((controller) => controller.name === name)
}
