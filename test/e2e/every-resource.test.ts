import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'
import { tables } from '../../api/index.ts'
import { type ControlPlane, type ControlPlaneStorage, startControlPlane } from '../../cmd/pilothouse/library.ts'
import { findEtcd } from '../../hack/programs.ts'
import { silentLogger, silentMetrics, systemClock, systemRandom } from '../../lib/base/index.ts'
import { groupOrder } from '../../lib/controlplane/index.ts'
import { builtInKinds, createKindSet } from '../../lib/kinds/index.ts'
import { type ApiObject, parseGroupVersion } from '../../lib/object/index.ts'
import { createScheme, type MediaType } from '../../lib/scheme/index.ts'
import { createEtcdStore } from '../../lib/storage/index.ts'
import { scratchFolder } from '../support/apiserver.ts'
import { startEtcd } from '../support/etcd.ts'
import { eventually } from '../support/eventually.ts'

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
  metadata: {
    name?: string
    namespace?: string
    resourceVersion?: string
    labels?: Record<string, string>
    annotations?: object
  }
  items?: Body[]
  rows?: { cells: unknown[] }[]
  columnDefinitions?: { name: string }[]
  resources?: Discovered[]
  groups?: { versions: { groupVersion: string }[] }[]
}

const whole = ['create', 'get', 'list', 'patch', 'update', 'delete', 'watch']
const namespace = 'default'
/** Resources whose status the server writes right after they are created. */
const statusFromServer = new Set([
  'apiservices',
  'customresourcedefinitions',
  'flowschemas',
  'prioritylevelconfigurations',
  'servicecidrs',
])
const steadyMs = 200
/** Longer than a watch lasts, and shorter than a test may take. */
const answerMsMax = 50_000
const formats: readonly MediaType[] = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
]
const gate = (name: string): boolean => name === 'CBORServingAndStorage'
const scheme = createScheme({ tables, order: groupOrder, kinds: createKindSet(builtInKinds).get, gate })

/** Where the objects are; `stored` reads a key's bytes, where somebody else can. */
interface Home {
  readonly storage: ControlPlaneStorage
  stored?(key: string): Promise<Uint8Array | undefined>
  close(): Promise<void>
}

async function embedded(): Promise<Home> {
  const folder = scratchFolder('every-resource')
  return { storage: { dir: folder.path }, close: () => Promise.resolve(folder.remove()) }
}

async function onEtcd(): Promise<Home> {
  const etcd = await startEtcd()
  const services = { clock: systemClock, random: systemRandom, log: silentLogger, metrics: silentMetrics }
  const store = createEtcdStore(services, { endpoints: [etcd.url] })
  return {
    storage: { etcd: [etcd.url] },
    stored: async (key) => (await store.get(key)).value?.value,
    async close() {
      await store.close()
      await etcd.stop()
    },
  }
}

for (const [title, open] of Object.entries({ 'the embedded store': embedded, etcd: onEtcd })) everyResource(title, open)

function everyResource(title: string, open: () => Promise<Home>): void {
  describe(`every resource, on ${title}`, () => {
    const agent = new https.Agent({ keepAlive: true, maxSockets: 8 })
    let home: Home
    let plane: ControlPlane
    let resources: Discovered[]

    /** `isEnough` ends an answer that goes on, once its text so far is what was waited for. */
    function ask(
      method: string,
      path: string,
      options: { body?: unknown; headers?: Record<string, string>; isEnough?: (text: string) => boolean } = {},
    ) {
      return new Promise<Reply>((resolve, reject) => {
        const headers = {
          authorization: `Bearer ${plane.adminToken}`,
          'content-type': 'application/json',
          ...options.headers,
        }
        const call = https.request(plane.url + path, { method, ca: plane.caCertificate, agent, headers }, (answer) => {
          const chunks: Buffer[] = []
          const finish = (): void => {
            const bytes = Buffer.concat(chunks)
            const type = String(answer.headers['content-type'] ?? '')
            resolve({ status: answer.statusCode ?? 0, type, bytes, text: bytes.toString() })
          }
          answer.on('data', (chunk: Buffer) => {
            chunks.push(chunk)
            if (!options.isEnough?.(Buffer.concat(chunks).toString())) return
            finish()
            call.destroy()
          })
          answer.on('end', finish)
          answer.on('error', reject)
        })
        call.on('error', reject)
        call.setTimeout(answerMsMax, () => {
          const { bytesRead = 0, bytesWritten = 0 } = call.socket ?? {}
          call.destroy(new Error(`no answer: ${method} ${path}, ${bytesWritten} bytes sent and ${bytesRead} received`))
        })
        call.end(options.body === undefined ? undefined : JSON.stringify(options.body))
      })
    }

    async function json(path: string): Promise<Body> {
      return JSON.parse((await ask('GET', path)).text) as Body
    }

    // A second try of the test begins with nothing of the first.
    beforeEach(async function () {
      this.timeout(120_000)
      if (open === onEtcd && !(await findEtcd())) return this.skip()
      home = await open()
      const featureGates = { CBORServingAndStorage: true }
      plane = await startControlPlane({ storage: home.storage, runtimeConfig: { 'api/all': true }, featureGates })
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
    afterEach(async () => {
      agent.destroy()
      await plane?.stop()
      await home?.close()
    })

    /** Its object in this version, if somebody wrote one down: what is served without one fails below. */
    async function validOf({ kind, groupVersion }: Discovered): Promise<ApiObject | undefined> {
      const file = kind === 'Event' && groupVersion.startsWith('events') ? 'NewEvent' : kind
      const path = join(import.meta.dirname, '..', 'support', 'valid', `${file}.ts`)
      if (!existsSync(path)) return undefined
      const module = (await import(path)) as Record<string, unknown>
      const found = Object.values(module)[0] as Record<string, unknown>
      const object = ('metadata' in found ? found : (found[''] ?? Object.values(found)[0])) as ApiObject
      const expected = { ...parseGroupVersion(object.apiVersion)!, kind }
      const body = Buffer.from(JSON.stringify(object))
      const options = { mediaType: 'application/json', expected, fieldValidation: 'Strict', defaults: false } as const
      return scheme.objects.convert(scheme.objects.decodeObject(body, options).object, parseGroupVersion(groupVersion)!)
    }

    async function live(resource: Discovered): Promise<void> {
      const { name: plural, namespaced, groupVersion } = resource
      const valid = await validOf(resource)
      assert.ok(valid, 'has no valid object in test/support/valid')
      const root = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`
      const collection = `${root}/${namespaced ? `namespaces/${namespace}/` : ''}${plural}`
      const { namespace: _, ...metadata } = valid.metadata
      // Endpoints go with the service of their name.
      if (plural === 'services') metadata.name = 'a-service'
      const before = await json(`${collection}?limit=1`)

      const created = await ask('POST', collection, { body: { ...valid, metadata } })
      assert.equal(created.status, 201, `create: ${created.text}`)
      const { name = '' } = (JSON.parse(created.text) as Body).metadata
      const url = `${collection}/${name}`
      await readEach(resource, url, collection, name)
      if (home.stored) await checkStored(resource, url, name, home.stored)

      const patched = await ask('PATCH', url, {
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { metadata: { labels: { every: 'resource' } } },
      })
      assert.equal(patched.status, 200, `patch: ${patched.text}`)
      const put = await ask('PUT', url, { body: JSON.parse(patched.text) as unknown })
      assert.equal(put.status, 200, `update: ${put.text}`)
      const selected = await json(`${collection}?labelSelector=every%3Dresource`)
      assert.deepEqual(
        selected.items?.map((item) => item.metadata.name),
        [name],
        'list by label',
      )

      const from = before.metadata.resourceVersion ?? ''
      const eventsIn = (text: string): string[] => text.split('\n').filter((line) => line.includes(`"${name}"`))
      const watched = await ask('GET', `${collection}?watch=true&timeoutSeconds=30&resourceVersion=${from}`, {
        isEnough: (text) => eventsIn(text).some((line) => line.startsWith('{"type":"MODIFIED"')),
      })
      const events = eventsIn(watched.text)
      assert.match(events[0] ?? '', /^\{"type":"ADDED"/, `watch: ${watched.text.slice(0, 200)}`)
      assert.ok(
        events.some((line) => line.startsWith('{"type":"MODIFIED"')),
        'watch: nothing of the patch',
      )

      const deleted = await ask('DELETE', url)
      assert.equal(deleted.status, 200, `delete: ${deleted.text}`)
    }

    /** Resolves when the server has written the status that it gives to some objects. */
    async function untilSteady(url: string): Promise<void> {
      let before = ''
      await eventually(async () => {
        const { metadata } = JSON.parse((await ask('GET', url)).text) as Body
        const isSteady = metadata.resourceVersion === before
        before = metadata.resourceVersion ?? ''
        if (!isSteady) await new Promise((resolve) => setTimeout(resolve, steadyMs))
        return isSteady
      }, 'the object stays as it is')
    }

    /** One object in every format and form, all of them the same. */
    async function readEach(resource: Discovered, url: string, collection: string, name: string): Promise<void> {
      const expected = { ...parseGroupVersion(resource.groupVersion)!, kind: resource.kind }
      if (statusFromServer.has(resource.name)) await untilSteady(url)
      const decoded: ApiObject[] = []
      for (const mediaType of formats) {
        const { status, type, bytes } = await ask('GET', url, { headers: { accept: mediaType } })
        assert.equal(`${status} ${type}`, `200 ${mediaType}`)
        decoded.push(scheme.objects.decodeObject(bytes, { mediaType, expected }).object)
        const list = await ask('GET', collection, { headers: { accept: mediaType } })
        assert.equal(`${list.status} ${list.type}`, `200 ${mediaType}`, 'list')
        assert.ok(list.bytes.includes(name), `list in ${mediaType}`)
      }
      const [first, ...others] = decoded
      for (const other of others) assert.deepEqual(other, first)
      const table = JSON.parse((await ask('GET', url, { headers: as('Table') })).text) as Body
      assert.equal(table.rows?.[0]?.cells.length, table.columnDefinitions?.length, 'table')
      assert.ok(
        table.rows?.[0]?.cells.every((cell) => cell !== undefined),
        'table',
      )
      const partial = JSON.parse((await ask('GET', url, { headers: as('PartialObjectMetadata') })).text) as Body
      // The annotations of an old version are made for that version alone.
      const { annotations: _, ...metadata } = first?.metadata ?? {}
      const { annotations: __, ...shown } = partial.metadata
      assert.deepEqual([partial.kind, shown], ['PartialObjectMetadata', metadata])
    }

    /** What others find in the store is what the object says, in the storage version, under the key that they know. */
    async function checkStored(
      resource: Discovered,
      url: string,
      name: string,
      stored: NonNullable<Home['stored']>,
    ): Promise<void> {
      const { group, version } = parseGroupVersion(resource.groupVersion)!
      const definition = scheme.resource({ group, version, resource: resource.name })
      assert.ok(definition?.storage)
      const key = `/registry/${definition.storage.prefix}/${resource.namespaced ? `${namespace}/` : ''}${name}`
      const bytes = await stored(key)
      assert.ok(bytes, `nothing is stored at ${key}`)
      assert.equal(Buffer.from(bytes.subarray(0, 4)).toString('latin1'), 'k8s\0')
      const hub = scheme.hub(definition.gvr) ?? definition
      const { storage, gvk, table } = definition
      const expected = { kind: gvk.kind, group: table.storageGroup ?? group, version: storage.version }
      const protobuf = { mediaType: 'application/vnd.kubernetes.protobuf', expected, defaults: false } as const
      const written = scheme.objects.encodeForStorage(scheme.objects.decodeObject(bytes, protobuf).object)
      assert.deepEqual(Buffer.from(written), Buffer.from(bytes), 'stored bytes')
      const found = scheme.codec(hub.gvr).decodeFromStorage(bytes, '1')
      const shown = scheme.objects.convert(found, { group, version })
      const { bytes: body } = await ask('GET', url)
      const answered = scheme.objects.decodeObject(body, {
        mediaType: 'application/json',
        expected: definition.gvk,
      }).object
      const { resourceVersion: _, ...metadata } = answered.metadata
      const { resourceVersion: __, ...storedMetadata } = shown.metadata
      assert.deepEqual({ ...shown, metadata: storedMetadata }, { ...answered, metadata })
    }

    it('is created, read in each format, listed, patched, updated, watched and deleted', async function () {
      this.timeout(120_000)
      assert.ok(resources.length > 80, `only ${resources.length} resources are served`)
      const problems: string[] = []
      // One after the other within a kind's versions: they share their objects.
      const byName = Map.groupBy(resources, ({ name }) => name)
      await Promise.all(
        [...byName.values()].map(async (versions) => {
          for (const resource of versions) {
            await live(resource).catch((error: unknown) => {
              problems.push(
                `${resource.groupVersion} ${resource.name}: ${error instanceof Error ? error.message : String(error)}`,
              )
            })
          }
        }),
      )
      assert.deepEqual(problems, [])
    })
  })
}

function as(kind: string): Record<string, string> {
  return { accept: `application/json;as=${kind};v=v1;g=meta.k8s.io` }
}
