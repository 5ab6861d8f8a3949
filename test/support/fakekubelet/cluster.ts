import { strict as assert } from 'node:assert'
import { request } from '../apiserver.ts'

/** A node whose kubelet listens at `port` of this machine. */
export async function createNode(
  server: { url: string },
  name: string,
  port: number,
  address = '127.0.0.1',
): Promise<void> {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name } }
  await made(server, '/api/v1/nodes', node)
  const status = {
    addresses: [{ type: 'InternalIP', address }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  }
  const answer = await request(server, `/api/v1/nodes/${name}/status`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ status }),
  })
  assert.equal(answer.status, 200, answer.body)
}

interface PodOptions {
  /** '': not scheduled. */
  readonly nodeName?: string
  readonly containers?: readonly string[]
  readonly initContainers?: readonly string[]
  /** The port of the first container. */
  readonly port?: number
  readonly podIP?: string
}

export async function createPod(
  server: { url: string },
  name: string,
  { nodeName = 'node-1', containers = ['main'], initContainers = [], port, podIP }: PodOptions = {},
): Promise<void> {
  const container = (of: string, index: number): object => ({
    name: of,
    image: 'busybox',
    ...(port !== undefined && index === 0 ? { ports: [{ containerPort: port }] } : {}),
  })
  await made(server, '/api/v1/namespaces/default/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      ...(nodeName === '' ? {} : { nodeName }),
      containers: containers.map(container),
      ...(initContainers.length === 0 ? {} : { initContainers: initContainers.map(container) }),
    },
  })
  const status = {
    phase: 'Running',
    ...(podIP === undefined ? {} : { podIP, podIPs: [{ ip: podIP }] }),
    containerStatuses: containers.map((of) => ({
      name: of,
      ready: true,
      image: 'busybox',
      imageID: 'busybox',
      restartCount: 0,
      state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
    })),
  }
  const answer = await request(server, `/api/v1/namespaces/default/pods/${name}/status`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ status }),
  })
  assert.equal(answer.status, 200, answer.body)
}

async function made(server: { url: string }, path: string, object: object): Promise<void> {
  const answer = await request(server, path, { method: 'POST', body: JSON.stringify(object) })
  assert.equal(answer.status, 201, answer.body)
}
