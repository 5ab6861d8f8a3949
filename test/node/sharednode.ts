import type { RealNode } from '../../hack/node/realnode.ts'
import { type Cluster, openCluster, programsOfNodes } from './cluster.ts'

const programs = await programsOfNodes()
let opened: Promise<{ cluster: Cluster; node: RealNode }> | undefined

if (programs)
  // For all files of this process.
  after(async function () {
    this.timeout(60_000)
    await (await opened)?.cluster.close()
  })

/**
 * One cluster with one node for all suites that use it, in one process. Describes the suite by `define` with it, or
 * skips it where no node can run.
 */
export function describeOnNode(title: string, define: (on: () => { cluster: Cluster; node: RealNode }) => void): void {
  describe(title, function () {
    if (!programs) {
      it.skip('needs root, control groups of version 1 and the programs of a node')
      return
    }
    this.timeout(120_000)
    let on: { cluster: Cluster; node: RealNode } | undefined
    before(async function () {
      this.timeout(180_000)
      opened ??= openCluster(programs).then(async (cluster) => {
        const configuration = { featureGates: { EphemeralContainers: true } }
        return { cluster, node: await cluster.join(1, { configuration }) }
      })
      on = await opened
    })
    define(() => {
      if (!on) throw new Error('the node has not joined')
      return on
    })
  })
}
