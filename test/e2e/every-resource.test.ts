import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'
import { type ControlPlane, startControlPlane } from '../../cmd/pilothouse/library.ts'

interface Discovered {
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly groupVersion: string
}

interface Reply {
  readonly status: number
  readonly type: string
  readonly bytes: Buffer
  readonly text: string
}

interface Body {
  kind?: string
  message?: string
  metadata: { name?: string; resourceVersion?: string; labels?: Record<string, string> }
  items?: Body[]
  resources?: Discovered[]
  groups?: { versions: { groupVersion: string }[] }[]
}

const whole = ['create', 'get', 'list', 'patch', 'update', 'delete']
const namespace = 'default'
const agent = new https.Agent({ keepAlive: true, maxSockets: 8 })

describe('every resource', () => {
  let plane: ControlPlane
  let resources: Discovered[]

  function ask(method: string, path: string, options: { body?: unknown; headers?: Record<string, string> } = {}) {
    return new Promise<Reply>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${plane.adminToken}`,
        'content-type': 'application/json',
        ...options.headers,
      }
      const call = https.request(plane.url + path, { method, ca: plane.caCertificate, agent, headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const type = String(answer.headers['content-type'] ?? '')
          resolve({ status: answer.statusCode ?? 0, type, bytes, text: bytes.toString() })
        })
      })
      call.on('error', reject)
      call.end(options.body === undefined ? undefined : JSON.stringify(options.body))
    })
  }

  async function json(path: string): Promise<Body> {
    return JSON.parse((await ask('GET', path)).text) as Body
  }

  before(async () => {
    plane = await startControlPlane()
    const { groups = [] } = await json('/apis')
    const versions = groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion))
    const lists = await Promise.all(
      ['v1', ...versions].map(async (groupVersion) => {
        const list = await json(groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`)
        return (list.resources ?? []).map((resource) => ({ ...resource, groupVersion }))
      }),
    )
    resources = lists
      .flat()
      .filter(({ name, verbs }) => !name.includes('/') && whole.every((verb) => verbs.includes(verb)))
  })
  after(async () => {
    agent.destroy()
    await plane.stop()
  })

  /** Its object, if somebody wrote one down: what is served without one fails below. */
  async function validOf({ kind, groupVersion }: Discovered): Promise<Record<string, unknown> | undefined> {
    const file = kind === 'Event' && groupVersion.startsWith('events') ? 'NewEvent' : kind
    const path = join(import.meta.dirname, '..', 'support', 'valid', `${file}.ts`)
    if (!existsSync(path)) return undefined
    const module = (await import(path)) as Record<string, unknown>
    const found = Object.values(module)[0] as Record<string, unknown>
    const object = 'metadata' in found ? found : (found[''] ?? Object.values(found)[0])
    return structuredClone(object) as Record<string, unknown>
  }

  async function live(resource: Discovered): Promise<string | undefined> {
    const { name: plural, namespaced, groupVersion, kind } = resource
    const valid = await validOf(resource)
    if (!valid) return 'has no valid object in test/support/valid'
    const root = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`
    const collection = `${root}/${namespaced ? `namespaces/${namespace}/` : ''}${plural}`
    const metadata = { ...(valid['metadata'] as Body['metadata'] & { namespace?: string }) }
    delete metadata.namespace
    const body = { ...valid, apiVersion: groupVersion, kind, metadata }
    const before = await json(`${collection}?limit=1`)

    const created = await ask('POST', collection, { body })
    if (created.status !== 201) return `create: ${created.status} ${created.text}`
    const { name = '' } = (JSON.parse(created.text) as Body).metadata
    const url = `${collection}/${name}`
    const yaml = await ask('GET', url, { headers: { accept: 'application/yaml' } })
    if (yaml.status !== 200 || !yaml.text.includes(`name: ${name}`)) return `YAML: ${yaml.status}`
    const protobuf = await ask('GET', url, { headers: { accept: 'application/vnd.kubernetes.protobuf' } })
    if (protobuf.bytes.subarray(0, 4).toString('latin1') !== 'k8s\0') return `protobuf: ${protobuf.status}`
    const list = await json(collection)
    if (!list.items?.some((item) => item.metadata.name === name)) return 'list: it is not there'

    const patched = await ask('PATCH', url, {
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { metadata: { labels: { every: 'resource' } } },
    })
    if (patched.status !== 200) return `patch: ${patched.status} ${patched.text}`
    const put = await ask('PUT', url, { body: JSON.parse(patched.text) as unknown })
    if (put.status !== 200) return `update: ${put.status} ${put.text}`

    const from = before.metadata.resourceVersion ?? ''
    const watched = await ask('GET', `${collection}?watch=true&timeoutSeconds=1&resourceVersion=${from}`)
    const events = watched.text.split('\n').filter((line) => line.includes(`"${name}"`))
    if (!events[0]?.startsWith('{"type":"ADDED"')) return `watch: ${watched.text.slice(0, 200)}`
    if (!events.some((line) => line.startsWith('{"type":"MODIFIED"'))) return 'watch: nothing of the patch'

    const deleted = await ask('DELETE', url)
    if (deleted.status !== 200) return `delete: ${deleted.status} ${deleted.text}`
    return undefined
  }

  it('is created, read in each format, listed, patched, updated, watched and deleted', async function () {
    this.timeout(60_000)
    assert.ok(resources.length > 40, `only ${resources.length} resources are served`)
    const problems: string[] = []
    // One after the other within a kind's versions: they share their objects.
    const byName = Map.groupBy(resources, ({ name }) => name)
    await Promise.all(
      [...byName.values()].map(async (versions) => {
        for (const resource of versions) {
          const problem = await live(resource)
          if (problem !== undefined) problems.push(`${resource.groupVersion} ${resource.name}: ${problem}`)
        }
      }),
    )
    assert.deepEqual(problems, [])
  })
})
