import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectTo } from '../../hack/node/connection.ts'
import { prepareJoining } from '../../hack/node/joining.ts'
import { startScheduler } from '../../hack/node/part.ts'
import { type Plane, startPlane } from '../../hack/node/plane.ts'
import { findNodePrograms, type NodePrograms } from '../../hack/node/programs.ts'
import { type JoinOptions, joinNode, type RealNode, untilReady } from '../../hack/node/realnode.ts'
import { nodeObstacle } from '../../hack/node/requirements.ts'
import { openSite, type Site } from '../../hack/node/site.ts'
import type { Client } from '../../lib/client/index.ts'
import { type Kubectl, kubectlOf } from '../support/kubectl.ts'

/** A control plane with real nodes. */
export interface Cluster {
  readonly site: Site
  readonly plane: Plane
  readonly client: Client
  readonly kubectl: Kubectl
  /** Joins a node with an index from 1 on; resolves when it is ready. */
  join(index: number, options?: Partial<JoinOptions>): Promise<RealNode>
  /** Bootstrap token of all nodes. */
  readonly token: string
  close(): Promise<void>
}

/** The programs; undefined where no node can run, with the reason on standard error. */
export async function programsOfNodes(): Promise<NodePrograms | undefined> {
  const obstacle = nodeObstacle()
  if (obstacle === undefined) return await findNodePrograms()
  process.stderr.write(`no real node runs here: ${obstacle}\n`)
  return undefined
}

/** A control plane of one process, and a scheduler. */
async function startWhole(site: Site): Promise<Plane> {
  const plane = await startPlane(site)
  const scheduler = startScheduler(plane.kubeconfig, site.folder)
  return { ...plane, stop: async () => void (await Promise.all([scheduler.stop(), plane.stop()])) }
}

/** Opens a cluster without nodes, on a control plane of one process where `start` starts no other. */
export async function openCluster(
  programs: NodePrograms,
  start: (site: Site) => Promise<Plane> = startWhole,
): Promise<Cluster> {
  await using opening = new AsyncDisposableStack()
  const site = opening.adopt(await openSite(), (made) => made.close())
  const plane = opening.adopt(await start(site), (made) => made.stop())
  const kubeconfig = readFileSync(plane.kubeconfig, 'utf8')
  const client = opening.adopt(await connectTo(kubeconfig), (made) => made.close())
  const token = await prepareJoining(client)
  const access = { server: plane.url, caCertificate: plane.caCertificate, bootstrapToken: token }
  const opened = opening.move()
  return {
    site,
    plane,
    client,
    token,
    kubectl: kubectlOf(plane.kubeconfig, join(site.folder, 'home')),
    async join(index, options = {}) {
      const node = opened.adopt(await joinNode({ site, programs, index, access, ...options }), (made) => made.close())
      await untilReady(client, node)
      return node
    },
    close: async () => await opened.disposeAsync(),
  }
}
