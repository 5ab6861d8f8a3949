import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'
import { type ControlPlane, startControlPlane } from '../../cmd/pilothouse/library.ts'
import type { ApiObject } from '../../lib/object/index.ts'
import { eventually } from '../support/eventually.ts'

interface Resource {
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
}

interface Reply {
  readonly status: number
  readonly text: string
}

const folder = join(import.meta.dirname, '../support/valid')

/** True when all keys of the one are in the other, whatever their values became. */
function holds(object: unknown, given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return object !== undefined
  if (typeof object !== 'object' || object === null) return Object.keys(given).length === 0
  return Object.entries(given).every(([key, value]) => holds((object as Record<string, unknown>)[key], value))
}

/** Who applies or puts what is there already writes nothing, whatever the kind fills in, rounds or sorts. */
describe('every kind, unchanged', function () {
  this.timeout(120_000)
  const agent = new https.Agent({ keepAlive: true, maxSockets: 8 })
  const kept = new Map<string, ApiObject>()
  let plane: ControlPlane

  function ask(method: string, path: string, type = 'application/json', body?: object): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${plane.adminToken}`, 'content-type': type }
      const call = https.request(plane.url + path, { method, ca: plane.caCertificate, agent, headers }, (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => (text += chunk))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
        answer.on('error', reject)
      })
      call.on('error', reject)
      call.end(body && JSON.stringify(body))
    })
  }

  const apply = (url: string, body: object): Promise<Reply> =>
    ask('PATCH', `${url}?fieldManager=applier&force=true`, 'application/apply-patch+yaml', body)
  const versionOf = ({ text }: Reply): string | undefined => (JSON.parse(text) as ApiObject).metadata.resourceVersion

  /** The URL of an object; undefined when its kind isn't served in that version, or can't be created. */
  async function urlOf({ apiVersion, kind, metadata }: ApiObject): Promise<string | undefined> {
    const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
    const { status, text } = await ask('GET', root)
    if (status !== 200) return undefined
    const { resources } = JSON.parse(text) as { resources: Resource[] }
    const found = resources.find((one) => one.kind === kind && !one.name.includes('/') && one.verbs.includes('create'))
    return found && `${root}/${found.namespaced ? 'namespaces/default/' : ''}${found.name}/${metadata.name}`
  }

  before(async () => {
    plane = await startControlPlane({ storage: 'memory', runtimeConfig: { 'api/all': true } })
    for (const file of readdirSync(folder)) {
      const module = (await import(join(folder, file))) as Record<string, unknown>
      for (const one of Object.values(module).slice(0, 1)) {
        const object = one as ApiObject & Record<string, ApiObject>
        const valid = object.metadata ? object : (object[''] ?? Object.values(object)[0])
        const url = valid && (await urlOf(valid))
        // Two groups share their events, and there is one of the name.
        if (!valid || !url || valid.apiVersion === 'events.k8s.io/v1') continue
        const { namespace: _, ...metadata } = valid.metadata
        kept.set(url, { ...valid, metadata })
      }
    }
    assert.ok(kept.size > 45, `only ${kept.size} kinds have a valid object`)
  })
  after(async () => {
    agent.destroy()
    await plane.stop()
  })

  const secondNow = (): number => Math.floor(Date.now() / 1000)
  /** The versions of the objects once the server itself has nothing to write about them: APIServices are looked after. */
  async function settled(urls: readonly string[]): Promise<ReadonlyMap<string, string | undefined>> {
    const look = async (): Promise<Map<string, string | undefined>> => {
      const found = await Promise.all(urls.map((url) => ask('GET', url)))
      return new Map(urls.map((url, index) => [url, found[index] && versionOf(found[index])]))
    }
    let versions = await look()
    await eventually(async () => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      const before = versions
      versions = await look()
      return urls.every((url) => versions.get(url) === before.get(url))
    }, 'nothing is written any more')
    return versions
  }

  it('is not written again', async () => {
    const problems: string[] = []
    const made: string[] = []
    for (const [url, body] of kept) {
      const answer = await apply(url, body)
      // What is behind a gate is dropped after the owners are known, and so is a change each time: as everywhere.
      if (answer.status === 201 && !holds(JSON.parse(answer.text), body)) continue
      // Admission may have added to a list that is replaced as a whole (taints of a new node): once more.
      if (answer.status === 201 && (await apply(url, body)).status === 200) made.push(url)
      else problems.push(`${url}: ${answer.status} ${answer.text}`)
    }
    // Owners have the time of their last change, in seconds.
    const second = secondNow()
    await eventually(() => secondNow() > second, 'the next second')
    assert.ok(made.length > 35, `only ${made.length} kinds were applied`)
    const versions = await settled(made)
    for (const [url, version] of versions) {
      const check = (what: string, answer: Reply): void => {
        if (answer.status !== 200) problems.push(`${what} ${url}: ${answer.status} ${answer.text}`)
        else if (versionOf(answer) !== version) problems.push(`${what} ${url}: written again`)
      }
      check('apply', await apply(url, kept.get(url) ?? {}))
      const live = JSON.parse((await ask('GET', url)).text) as object
      check('put', await ask('PUT', `${url}?fieldManager=applier`, 'application/json', live))
      check('merge patch', await ask('PATCH', url, 'application/merge-patch+json', { metadata: {} }))
      check('JSON patch', await ask('PATCH', url, 'application/json-patch+json', []))
      const last = await ask('GET', url)
      if (versionOf(last) !== version) problems.push(`${url}: ${version} is now ${versionOf(last)}`)
    }
    assert.deepEqual(problems, [])
  })
})
