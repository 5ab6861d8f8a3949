import http2 from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Sent } from '../client.ts'
import { type Attacked, type Proof, unless, unlessFree } from '../proof.ts'

const path = '/api/v1/namespaces/team/configmaps'
const memoryMbMax = 300
const json = { 'content-type': 'application/json' }

/** Some 0.9 MB of 40,000 keys. */
const data = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`k${index}`, 'value-of-it']))
const large = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })

const dry = '?dryRun=All'
const patch = (type: string, body: string, query = dry): Sent => ({
  method: 'PATCH',
  path: `${path}/large${query}`,
  headers: { 'content-type': type },
  body,
})

/** Every verb and format, on one object. */
const requests: Readonly<Record<string, Sent>> = {
  'JSON Patch': patch('application/json-patch+json', '[{"op":"add","path":"/data/x","value":"y"}]'),
  'merge patch': patch('application/merge-patch+json', '{"data":{"x":"y"}}'),
  'strategic patch': patch('application/strategic-merge-patch+json', '{"data":{"x":"y"}}'),
  apply: patch('application/apply-patch+yaml', large('large'), `${dry}&fieldManager=m&force=true`),
  PUT: { method: 'PUT', path: `${path}/large${dry}`, headers: json, body: large('large') },
  POST: { method: 'POST', path: path + dry, headers: json, body: large('new') },
  'GET as YAML': { method: 'GET', path: `${path}/large`, headers: { accept: 'application/yaml' } },
  'GET, pretty': { method: 'GET', path: `${path}/large?pretty=1` },
  'GET as protobuf': { method: 'GET', path: `${path}/large`, headers: { accept: 'application/vnd.kubernetes.protobuf' } }, // biome-ignore format: one line
}

/** The proof for this many concurrent requests. */
export function parallelLargeWork(count: number): Proof {
  return {
    title: `${count} requests about one large object at once leave room for small ones`,
    async run(around) {
      const editor = around.plane.as('editor')
      const made = await editor.send({ method: 'POST', path, headers: json, body: large('large') })
      const left = unless([201], 'the object', made)
      const before = around.watchdog.memoryMb()
      for (const [what, sent] of Object.entries(requests)) {
        await around.watchdog.loop()
        const answers = await Promise.all(Array.from({ length: count }, () => editor.send(sent)))
        left.push(...answers.flatMap((answer) => unless([200, 201, 429], what, answer)).slice(0, 1))
        left.push(...(await unlessFree(around, `${count} × ${what}`)))
      }
      const grown = around.watchdog.memoryMb() - before
      if (grown > memoryMbMax) left.push(`the server took ${grown} MB more, of ${memoryMbMax} allowed`)
      await editor.ask('DELETE', `${path}/large`)
      return left
    },
  }
}

const listed = 30
const readers = 40

export const largeLists: Proof = {
  title: 'large lists as YAML and pretty JSON are made as they are read, and go with who reads nothing',
  async run(around) {
    const editor = around.plane.as('editor')
    const value = 'v'.repeat(700_000)
    const left: string[] = []
    for (let index = 0; index < listed; index++) {
      const body = { metadata: { name: `list-${index}`, labels: { large: 'yes' } }, data: { value } }
      left.push(...unless([201], 'an object', await editor.ask('POST', path, body)))
    }
    const list = `${path}?labelSelector=large%3Dyes`
    const forms = [
      [list, 'application/yaml'],
      [`${list}&pretty=1`, 'application/json'],
    ] as const
    for (const [query, accept] of forms) {
      await around.watchdog.loop()
      left.push(...unless([200], accept, await editor.send({ method: 'GET', path: query, headers: { accept } })))
      left.push(...(await unlessFree(around, `a list as ${accept}`)))
      left.push(...(await readNothing(around, query, accept)))
    }
    await editor.ask('DELETE', list)
    return left
  },
}

/** Clients that send requests and read no answers, for two seconds. */
async function readNothing(around: Attacked, query: string, accept: string): Promise<string[]> {
  const { plane, watchdog } = around
  const before = watchdog.memoryMb()
  await watchdog.loop()
  const sessions = Array.from({ length: readers }, () => {
    const session = http2.connect(plane.server.url, { rejectUnauthorized: false, settings: { initialWindowSize: 0 } })
    session.on('error', () => {})
    const headers = { ':path': query, authorization: `Bearer ${plane.tokens.editor}`, accept }
    session.request(headers).on('error', () => {})
    return session
  })
  await sleep(2000)
  const grown = watchdog.memoryMb() - before
  for (const session of sessions) session.destroy()
  const left = await unlessFree(around, `${readers} clients that read nothing of ${accept}`)
  if (grown > memoryMbMax) left.push(`${readers} clients that read nothing of ${accept} took ${grown} MB`)
  const answer: Answer = await plane.as('nobody').ask('GET', '/version')
  return [...left, ...unless([200], 'a small request after them', answer)]
}
