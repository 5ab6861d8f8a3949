// Reads at real size: pods of some 5 KB, listed in every form by a server that has just started. The figures are the
// server's own CPU; the first list of a form, and the third.
import https from 'node:https'
import { adminToken, type ServerProcess } from '../support/apiserver.ts'
import { createClient, type Target } from './client.ts'
import { cpuMicroseconds, memoryMb } from './process.ts'

interface SizeOptions {
  readonly pods: number
  /** Starts the server; the second time on what the first one stored. */
  start(): Promise<ServerProcess>
  record(name: string, cost: string, more: string): void
  /** By how much a timer of the server was late at most since it was last asked, in ms. */
  loopHeldMs(target: Target): Promise<number>
}

const json = 'application/json'
const protobuf = 'application/vnd.kubernetes.protobuf'
const as = (mediaType: string, kind: string): string => `${mediaType};as=${kind};g=meta.k8s.io;v=v1`
const all = '/api/v1/pods?resourceVersion=0'

const forms: readonly (readonly [name: string, path: string, accept: string])[] = [
  ['list, protobuf', all, protobuf],
  ['list, JSON', all, json],
  ['metadata, JSON', all, as(json, 'PartialObjectMetadataList')],
  ['metadata, protobuf', all, as(protobuf, 'PartialObjectMetadataList')],
  ['page of 500, JSON', '/api/v1/pods?limit=500', json],
  ['page of 500, protobuf', '/api/v1/pods?limit=500', protobuf],
  ['table page of 500', '/api/v1/pods?limit=500', as(json, 'Table')],
  ['by spec.nodeName', `${all}&fieldSelector=spec.nodeName%3Dn7`, json],
  ['by metadata.name', `${all}&fieldSelector=metadata.name%3Dp7`, json],
  ['by label', `${all}&labelSelector=app%3Da7`, json],
]

function pod(index: number): string {
  const containers = [0, 1].map((number) => ({
    name: `c${number}`,
    image: 'registry.example.com/team/app:1.2.3',
    args: [`--flag=${'v'.repeat(60)}`],
    env: Array.from({ length: 12 }, (_, each) => ({ name: `ENV_${each}`, value: `value-${each}` })),
    resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1', memory: '256Mi' } },
    ports: [{ containerPort: 80 + number }],
    volumeMounts: [{ name: 'cfg', mountPath: '/etc/cfg' }],
  }))
  const labels = { app: `a${index % 100}`, tier: 'x' }
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `p${index}`, labels, annotations: { note: 'n'.repeat(600) } },
    spec: { nodeName: `n${index % 500}`, containers, volumes: [{ name: 'cfg', configMap: { name: 'cfg' } }] },
  })
}

export async function benchSize({ pods, start, record, loopHeldMs }: SizeOptions): Promise<void> {
  let server = await start()
  try {
    await fillPods(targetOf(server), pods, record)
    await server.stop()
    server = await start()
    const target = targetOf(server)
    const { resident } = memoryMb(target.pid)
    record('start with them', `${Math.round(cpuMicroseconds(target.pid) / 1000)} ms`, `${resident} MB`)
    record('JSON.parse of one, here', `${parseMicroseconds()} µs`, 'what the machine is worth just now')
    for (const form of forms) await measureForm(target, form, record, loopHeldMs)
    await measureRounds(target, record)
  } finally {
    await server.stop()
  }
}

export function targetOf(server: ServerProcess): Target {
  return { url: server.url, pid: server.process.pid ?? 0, token: adminToken }
}

export async function fillPods(target: Target, pods: number, record: SizeOptions['record']): Promise<void> {
  const client = createClient(target)
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'big' } }
  await client.request('POST', '/api/v1/namespaces', JSON.stringify(namespace))
  const before = cpuMicroseconds(target.pid)
  let next = 0
  await Promise.all(
    Array.from({ length: 48 }, async () => {
      while (next < pods) {
        const { status, body } = await client.request('POST', '/api/v1/namespaces/big/pods', pod(next++))
        if (status !== 201) throw new Error(`filling failed: ${status} ${body}`)
      }
    }),
  )
  const us = Math.round((cpuMicroseconds(target.pid) - before) / pods)
  record(`create, ${pods} pods of 5 KB`, `${us} µs`, '48 connections')
  client.close()
}

async function measureForm(
  target: Target,
  [name, path, accept]: (typeof forms)[number],
  record: SizeOptions['record'],
  loopHeldMs: SizeOptions['loopHeldMs'],
): Promise<void> {
  const costs: number[] = []
  let bytes = 0
  await loopHeldMs(target)
  for (let round = 0; round < 3; round++) {
    const before = cpuMicroseconds(target.pid)
    bytes = await readList(target, path, accept)
    costs.push((cpuMicroseconds(target.pid) - before) / 1000)
  }
  const heldMs = Math.round(await loopHeldMs(target))
  const [first = 0, , third = 0] = costs.map(Math.round)
  record(name, `${first} / ${third} ms`, `${(bytes / 1e6).toFixed(1)} MB, loop held ${heldMs} ms at most`)
}

/** Lists in changing forms: the encodings of one make room for the next. */
async function measureRounds(target: Target, record: SizeOptions['record']): Promise<void> {
  const sizes: number[] = []
  for (let round = 0; round < 10; round++) {
    for (const [, path, accept] of forms) await readList(target, path, accept)
    sizes.push(memoryMb(target.pid).resident)
  }
  record('memory over ten rounds of these', `${sizes.at(-1)} MB`, sizes.join(', '))
}

/** The bytes of a list's body. */
export function readList({ url, token }: Target, path: string, accept: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept }
    const call = https.get(url + path, { agent: false, rejectUnauthorized: false, headers }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length))
      answer.on('end', () =>
        answer.statusCode === 200 ? resolve(bytes) : reject(new Error(`${path}: ${answer.statusCode}`)),
      )
      answer.on('error', reject)
    })
    call.on('error', reject)
  })
}

function parseMicroseconds(): number {
  const texts = Array.from({ length: 200 }, (_, index) => pod(index))
  const once = (): number => {
    const before = process.cpuUsage()
    for (const text of texts) JSON.parse(text)
    const { user, system } = process.cpuUsage(before)
    return Math.round((user + system) / texts.length)
  }
  once()
  return once()
}
