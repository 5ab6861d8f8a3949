import { readFile } from 'node:fs/promises'
import {
  type AuthorizationMode,
  type Authorizer,
  type AuthorizerConfig,
  type AuthorizerMember,
  type AuthorizersConfig,
  alwaysAllow,
  alwaysDeny,
  compileConditions,
  createAbacAuthorizer,
  createNodeAuthorizer,
  createNodeGraph,
  createWebhookAuthorizer,
  nodeGraphFields,
  type RuleResolver,
  type WebhookConfig,
} from '../../authz/index.ts'
import { assert, type Closable } from '../../base/index.ts'
import { type Follower, type FollowListener, followCache, type Predicate } from '../../cache/index.ts'
import {
  createEndpointClient,
  createFileCredentials,
  type EndpointClient,
  loadKubeconfig,
  type ServerEndpoint,
} from '../../client/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { ApiserverConfig } from '../config.ts'
import { reasonOf } from '../process/failure.ts'
import type { ServerServices } from '../serverservices.ts'
import { createNodeReach } from './nodereach.ts'

/** The authorizers of one configuration. */
export interface AuthorizerSet extends Closable {
  readonly members: readonly Member[]
}
type AnyAuthorizer = Authorizer & Partial<RuleResolver>
type Member = AuthorizerMember & { readonly authorizer: AnyAuthorizer }

/** The parts that survive a change of the configuration. */
export interface Lasting {
  readonly config: ApiserverConfig
  readonly services: ServerServices
  readonly registry: Registry
  readonly rbac: AnyAuthorizer
}

export interface AuthorizerFactory extends Closable {
  build(config: AuthorizersConfig): Promise<AuthorizerSet>
}

/**
 * Creates authorizers. The parts that follow stored objects are created once, for the modes of the first configuration.
 */
export async function createAuthorizers(lasting: Lasting, first: AuthorizersConfig): Promise<AuthorizerFactory> {
  const { config, services, rbac } = lasting
  const nodes = first.authorizers.some(({ type }) => type === 'Node') ? await openNodes(lasting) : undefined
  const single: Readonly<Record<Exclude<AuthorizationMode, 'Webhook'>, AnyAuthorizer | undefined>> = {
    AlwaysAllow: alwaysAllow,
    AlwaysDeny: alwaysDeny,
    RBAC: rbac,
    Node: nodes?.authorizer,
    ABAC: config.authorization.policies && createAbacAuthorizer(config.authorization.policies),
  }

  async function make({ type, name, webhook }: AuthorizerConfig, clients: EndpointClient[]): Promise<Member> {
    if (webhook) return { type, authorizer: await openWebhook(services, name, webhook, clients) }
    const authorizer = type === 'Webhook' ? undefined : single[type]
    if (!authorizer) throw new Error(`${type} needs ${needs[type] ?? 'more'}`)
    return { type, authorizer: { ...authorizer, name } }
  }

  return {
    async build({ authorizers }) {
      const clients: EndpointClient[] = []
      const close = (): void => clients.forEach((client) => client.close())
      try {
        return { members: await Promise.all(authorizers.map((each) => make(each, clients))), close }
      } catch (error) {
        close()
        throw error
      }
    },
    close: () => nodes?.close(),
  }
}

const needs: Partial<Record<AuthorizationMode, string>> = {
  ABAC: '--authorization-policy-file',
  Node: 'a restart of the server',
}

async function openNodes({ config, services, registry }: Lasting): Promise<Closable & { authorizer: AnyAuthorizer }> {
  const graph = createNodeGraph(services)
  const { persistentvolumes, volumeattachments, resourceslices, podcertificaterequests } = graph.listeners
  const followers: Follower[] = []
  for (const [group, resource, listener] of [
    ['', 'persistentvolumes', persistentvolumes],
    ['storage.k8s.io', 'volumeattachments', volumeattachments],
    ['resource.k8s.io', 'resourceslices', resourceslices],
    ['certificates.k8s.io', 'podcertificaterequests', podcertificaterequests],
  ] as const) {
    const stored = registry.resource({ group, resource })
    const read = stored?.fieldReader(nodeGraphFields[resource])
    if (stored) followers.push(followCache(services, stored.cache, listener, { read }))
  }
  const pods = registry.resource({ group: '', resource: 'pods' })
  assert(pods, 'the API has pods')
  const read = pods.fieldReader(nodeGraphFields.pods)
  const followPodsOf = (node: string, listener: FollowListener): Follower =>
    followCache(services, pods.cache, listener, { read, predicate: onNode(node) })
  const reach = createNodeReach({ clock: services.clock, graph, followPodsOf })
  await Promise.all(followers.map((follower) => follower.ready))
  const authorizer = createNodeAuthorizer(
    { graph: reach },
    {
      selectors: config.gates.gate('AuthorizeNodeWithSelectors'),
      podCertificates: config.gates.gate('PodCertificateRequest'),
      serviceAccounts: config.gates.gate('KubeletServiceAccountTokenForCredentialProviders'),
    },
  )
  return {
    authorizer,
    close() {
      reach.close()
      followers.forEach((follower) => follower.close())
    },
  }
}

/** Selects the pods of a node. One that can't be read gives it nothing. */
function onNode(node: string): Predicate {
  const field = 'spec.nodeName'
  return {
    key: `access of node ${node}`,
    matches(entry) {
      try {
        return entry.fields()[field] === node
      } catch {
        return false
      }
    },
    equals: [{ of: 'field', name: field, value: node }],
  }
}

async function openWebhook(
  services: ServerServices,
  name: string,
  config: WebhookConfig,
  clients: EndpointClient[],
): Promise<Authorizer> {
  const { kubeconfig, timeoutMs, conditions, ...rest } = config
  const endpoint = kubeconfig === undefined ? await ownCluster(services) : await endpointOf(services, kubeconfig)
  const dialer = services.egress.controlplane
  const client = createEndpointClient(services, { ...endpoint, dialer }, { timeoutMs })
  clients.push(client)
  const compiled = conditions.length > 0 ? { conditions: compileConditions(conditions) } : {}
  return createWebhookAuthorizer({ ...services, client }, { name, ...rest, ...compiled })
}

async function endpointOf(services: ServerServices, kubeconfig: string): Promise<ServerEndpoint> {
  try {
    return await loadKubeconfig(services, kubeconfig)
  } catch (error) {
    throw new Error(`${kubeconfig}: ${reasonOf(error)}`, { cause: error })
  }
}

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

/** The API of the cluster in which this server runs as a pod. */
async function ownCluster(services: ServerServices): Promise<ServerEndpoint> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = services.environment
  if (!host || !port) throw new Error('InClusterConfig: this server does not run in a cluster')
  const at = host.includes(':') ? `[${host}]` : host
  const credentials = createFileCredentials(services, { token: `${accountFolder}/token` })
  const [ca] = await Promise.all([readFile(`${accountFolder}/ca.crt`, 'utf8'), credentials.current()])
  return { url: `https://${at}:${port}/apis/authorization.k8s.io/v1/subjectaccessreviews`, ca, credentials }
}
