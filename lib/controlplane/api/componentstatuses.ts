import type { Clock } from '../../base/index.ts'
import { createEndpointClient, type EndpointClient, RequestError } from '../../client/index.ts'
import type { KindSet } from '../../kinds/index.ts'
import type { ApiObject } from '../../object/index.ts'
import { createComputedResource, type ResourceRegistry } from '../../registry/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import { etcdAddressOf, type Store } from '../../storage/index.ts'
import type { ApiserverConfig } from '../config.ts'

/** A part of the control plane with a health check. */
export interface Component {
  readonly name: string
  check(): Promise<Health>
  close(): void
}

/** `error`: it could not be reached. */
type Health = { readonly healthy: boolean; readonly message: string } | { readonly error: string }

const timeoutMs = 2000
const answerBytesMax = 64 * 1024

/** The read-only resource `componentstatuses`: each read checks the components. */
export function createComponentStatuses(
  { scheme, kinds }: { scheme: Scheme; kinds: KindSet },
  components: readonly Component[],
): ResourceRegistry {
  const definition = scheme.resource({ group: '', version: 'v1', resource: 'componentstatuses' })
  const kind = kinds.get('', 'ComponentStatus')
  if (!definition || !kind) throw new Error('there are no tables of ComponentStatus')
  return createComputedResource({
    definition,
    kind,
    read: (name) =>
      Promise.all(components.filter((one) => name === undefined || one.name === name).map((one) => statusOf(one))),
  })
}

async function statusOf(component: Component): Promise<ApiObject> {
  const health = await component.check()
  const condition =
    'error' in health
      ? { type: 'Healthy', status: 'Unknown', error: health.error }
      : { type: 'Healthy', status: health.healthy ? 'True' : 'False', message: health.message }
  return { kind: 'ComponentStatus', apiVersion: 'v1', metadata: { name: component.name }, conditions: [condition] }
}

/** The scheduler and the controller manager at their default ports on this machine, and the store. */
export function composeComponentStatuses(
  config: Pick<ApiserverConfig, 'store' | 'storeOverrides'>,
  { clock, scheme, kinds, store }: { clock: Clock; scheme: Scheme; kinds: KindSet; store: Store },
): { readonly resource: ResourceRegistry; close(): void } {
  const components = [
    // Their certificates are self-made; they are sent no credentials, and only their health is used.
    webComponent('controller-manager', healthClient(clock, { url: 'https://127.0.0.1:10257/healthz', insecure: true })),
    webComponent('scheduler', healthClient(clock, { url: 'https://127.0.0.1:10259/healthz', insecure: true })),
    ...storeComponents(config, clock, store),
  ]
  return {
    resource: createComponentStatuses({ scheme, kinds }, components),
    close() {
      for (const component of components) component.close()
    },
  }
}

/** One for each etcd server, those of single resources last; or one for a store that isn't etcd. */
function storeComponents(
  { store: main, storeOverrides = [] }: Pick<ApiserverConfig, 'store' | 'storeOverrides'>,
  clock: Clock,
  store: Store,
): Component[] {
  if (main.backend === 'etcd3') {
    const all = [main, ...storeOverrides.map((override) => override.store)]
    const endpoints = all.flatMap((one) => (one.backend === 'etcd3' ? one.endpoints : []))
    return [...new Set(endpoints)].map((endpoint, index) =>
      webComponent(`etcd-${index}`, healthClient(clock, { ...main.tls, ...healthOf(endpoint) }), isHealthyEtcd),
    )
  }
  const check = async (): Promise<Health> => {
    try {
      await store.ping({ timeoutMs })
      return { healthy: true, message: 'ok' }
    } catch (error) {
      return { healthy: false, message: error instanceof Error ? error.message : String(error) }
    }
  }
  return [{ name: 'store', check, close() {} }]
}

function healthOf(endpoint: string): { url: string; socketPath?: string } {
  const { secure, target, name, authority } = etcdAddressOf(endpoint.replace(/\/$/, ''))
  const scheme = secure ? 'https' : 'http'
  if ('path' in target) return { url: `${scheme}://${name}/health`, socketPath: target.path }
  return { url: `${scheme}://${authority}/health` }
}

function healthClient(clock: Clock, endpoint: Parameters<typeof createEndpointClient>[1]): EndpointClient {
  return createEndpointClient({ clock }, endpoint, { timeoutMs, bodyBytesMax: answerBytesMax, socketsMax: 2 })
}

/** Checked by HTTP; `isFine` checks the text of a successful answer. */
export function webComponent(
  name: string,
  client: EndpointClient,
  isFine: (text: string) => boolean = () => true,
): Component {
  return {
    name,
    async check() {
      try {
        const { status, body } = await client.get()
        const text = body.toString('utf8')
        if (status < 200 || status > 399)
          return { healthy: false, message: `HTTP probe failed with statuscode: ${status}` }
        const healthy = isFine(text)
        return { healthy, message: healthy && text.startsWith('{') ? 'ok' : text }
      } catch (error) {
        if (!(error instanceof RequestError)) return { error: error instanceof Error ? error.message : String(error) }
        return { healthy: false, message: error.message }
      }
    },
    close: () => client.close(),
  }
}

/** etcd answers `{"health":"true"}`, older releases `{"health":true}`. */
function isHealthyEtcd(text: string): boolean {
  return /"health"\s*:\s*"?true"?/.test(text)
}
