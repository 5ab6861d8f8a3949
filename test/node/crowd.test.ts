import { resources } from '../../api/gen/resources.ts'
import { container, forever } from './objects.ts'
import { describeOnNode } from './sharednode.ts'
import { isLong, untilObject } from './waiting.ts'

const { deployments } = resources.apps.v1
const crowd = { namespace: 'default', name: 'crowd' }

if (isLong)
  describeOnNode('a hundred pods on a real kubelet', (on) => {
    it('all run, and all end', async function () {
      this.timeout(900_000)
      const { client } = on().cluster
      const spec = { terminationGracePeriodSeconds: 1, containers: [container(forever)] }
      const template = { metadata: { labels: { app: 'crowd' } }, spec }
      const manifest = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: crowd,
        spec: { replicas: 100, selector: { matchLabels: { app: 'crowd' } }, template },
      }
      // What a user writes: the server fills in the rest.
      await client.resource(deployments).create(manifest as never)
      const waitMs = 400_000
      await untilObject(client, deployments, { ...crowd, waitMs }, ({ status }) => status.availableReplicas === 100)
      await client.resource(deployments).delete(crowd, { propagationPolicy: 'Foreground' })
      await untilObject(client, deployments, { ...crowd, waitMs }, 'deleted')
    })
  })
