// Hollow nodes at work in the process of their server, with all controllers and the scheduler: the CPU of that process for
// each pod that becomes ready, and of nodes that only report.
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Target } from './client.ts'
import { cpuMicroseconds, memoryMb } from './process.ts'

const atOnce = 16
const limitMs = 300_000
const idleMs = 30_000
/** Nodes that have just registered are not idle: the engine still compiles what they used. */
const settleMs = 30_000
/** A list of all Deployments costs the server more than a pod. */
const pollMs = 500

type Recorder = (name: string, cost: string, more: string) => void

interface DeploymentList {
  readonly items: readonly { readonly status: { readonly readyReplicas?: number } }[]
}

export async function benchHollow(target: Target, nodes: number, record: Recorder): Promise<void> {
  const client = createClient(target, atOnce)
  const get = async <T>(path: string): Promise<T> => JSON.parse((await client.request('GET', path)).body) as T

  async function until(isDone: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + limitMs
    while (!(await isDone())) {
      if (performance.now() > end) throw new Error('the pods did not get there in time')
      await pause(pollMs)
    }
  }

  async function readyPods(namespace: string): Promise<number> {
    const { items } = await get<DeploymentList>(`/apis/apps/v1/namespaces/${namespace}/deployments?resourceVersion=0`)
    return items.reduce((sum, { status }) => sum + (status.readyReplicas ?? 0), 0)
  }

  async function measure(deployments: number, replicas: number): Promise<void> {
    const namespace = `bench-${deployments}`
    await client.request('POST', '/api/v1/namespaces', JSON.stringify({ metadata: { name: namespace } }))
    await until(async () => {
      const { status } = await client.request('GET', `/api/v1/namespaces/${namespace}/serviceaccounts/default`)
      return status === 200
    })
    const pods = deployments * replicas
    const [cpuUs, startedMs] = [cpuMicroseconds(target.pid), performance.now()]
    const make = async (index: number): Promise<void> => {
      const labels = { app: `d${index}` }
      const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } }
      const body = { metadata: { name: `d${index}` }, spec: { replicas, selector: { matchLabels: labels }, template } }
      await client.request('POST', `/apis/apps/v1/namespaces/${namespace}/deployments`, JSON.stringify(body))
    }
    let next = 0
    const maker = async (): Promise<void> => {
      while (next < deployments) await make(next++)
    }
    await Promise.all(Array.from({ length: atOnce }, maker))
    await until(async () => (await readyPods(namespace)) === pods)
    const us = (cpuMicroseconds(target.pid) - cpuUs) / pods
    const elapsed = ((performance.now() - startedMs) / 1000).toFixed(1)
    const { resident } = memoryMb(target.pid)
    record(
      `${pods} pods of ${deployments} Deployments`,
      `${(us / 1000).toFixed(2)} ms a pod`,
      `all ready after ${elapsed} s; ${resident} MB`,
    )
  }

  await until(async () => (await get<{ items: unknown[] }>('/api/v1/nodes')).items.length === nodes)
  await pause(settleMs)
  const cpuUs = cpuMicroseconds(target.pid)
  await pause(idleMs)
  const share = ((cpuMicroseconds(target.pid) - cpuUs) / 1000 / idleMs) * 100
  const { resident } = memoryMb(target.pid)
  record(
    `${nodes} idle nodes`,
    `${share.toFixed(1)} % of a core`,
    `${resident} MB, API server and controllers included`,
  )
  if (nodes === 0) return
  await measure(600, 1)
  await measure(10, 100)
}
