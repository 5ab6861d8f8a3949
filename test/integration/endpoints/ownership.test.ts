import assert from 'node:assert/strict'
import { request, type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'
import { type EtcdServer, startEtcd } from '../../support/etcd.ts'
import { watchText } from '../../support/watchtext.ts'

const base = '/apis/apps/v1/namespaces/default/deployments'
const url = `${base}/shared`
const rounds = 25

interface Deployment {
  metadata: {
    resourceVersion: string
    annotations?: Record<string, string>
    managedFields: { manager: string; operation: string; subresource?: string; fieldsV1: object }[]
  }
  spec: {
    replicas: number
    template: { spec: { containers: { name: string; image: string; env?: { name: string; value: string }[] }[] } }
  }
}

interface Answer {
  status: number
  text: string
}

/** `Apply one`, `Update two scale`: with every path that the manager owns. */
function ownersOf({ metadata }: Deployment): Record<string, string[]> {
  return Object.fromEntries(
    metadata.managedFields.map(({ manager, operation, subresource, fieldsV1 }) => [
      [operation, manager, subresource].filter(Boolean).join(' '),
      [...pathsOf(fieldsV1)],
    ]),
  )
}

function* pathsOf(fields: object, path = ''): Generator<string> {
  const entries = Object.entries(fields) as [string, object][]
  for (const [element, below] of entries)
    if (element !== '.') yield* pathsOf(below, `${path}${path && '/'}${element.slice(2)}`)
  if (entries.length === 0) yield path
}

describe('two replicas, two appliers and an updater', function () {
  if (!process.env['PILOTHOUSE_ETCD']) {
    it.skip('needs etcd')
    return
  }
  this.timeout(120_000)
  const folder = scratchFolder('ownership')
  let etcd: EtcdServer
  let one: ServerProcess
  let two: ServerProcess
  before(async () => {
    etcd = await startEtcd()
    const flags = [`--etcd-servers=${etcd.url}`]
    one = await startServer('cmd/apiserver/main.ts', flags, folder.path)
    two = await startServer('cmd/apiserver/main.ts', flags, folder.path)
  })
  after(async () => {
    for (const replica of [one, two]) assert.equal(await replica?.stop(), 0)
    await etcd?.stop()
    folder.remove()
  })

  async function send(
    server: ServerProcess,
    method: string,
    target: string,
    type: string,
    body: object,
  ): Promise<Answer> {
    const headers = { 'content-type': type }
    const { status, body: text } = await request(server, target, { method, headers, body: JSON.stringify(body) })
    return { status, text }
  }

  function apply(server: ServerProcess, manager: string, body: object, force = false): Promise<Answer> {
    const intent = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'shared' }, ...body }
    const target = `${url}?fieldManager=${manager}${force ? '&force=true' : ''}`
    return send(server, 'PATCH', target, 'application/apply-patch+yaml', intent)
  }

  async function read(server: ServerProcess, target = url): Promise<Deployment> {
    return JSON.parse((await request(server, target)).body) as Deployment
  }

  const images = (round: number): object => ({
    spec: {
      selector: { matchLabels: { app: 'shared' } },
      template: {
        metadata: { labels: { app: 'shared' } },
        spec: { containers: [{ name: 'main', image: `main:${round}` }] },
      },
    },
  })
  const settings = (round: number): object => ({
    metadata: { name: 'shared', annotations: { settings: String(round) } },
    spec: {
      template: {
        spec: {
          containers: [
            { name: 'main', env: [{ name: 'ROUND', value: String(round) }] },
            { name: 'side', image: `side:${round}` },
          ],
        },
      },
    },
  })

  async function insist(attempt: () => Promise<Answer>): Promise<number> {
    for (let refused = 0; ; refused++) {
      const { status, text } = await attempt()
      if (status === 200 || status === 201) return refused
      assert.equal(status, 409, text)
      assert.match(text, /the object has been modified/)
    }
  }

  /** Reads, changes and puts back the whole object, at the risk that somebody was quicker. */
  function update(server: ServerProcess, round: number): Promise<number> {
    return insist(async () => {
      const object = await read(server)
      object.metadata.annotations = { ...object.metadata.annotations, updated: String(round) }
      return send(server, 'PUT', `${url}?fieldManager=updater`, 'application/json', object)
    })
  }

  /** Over the watches of both replicas: an event for each write, in which nobody's value goes back to an older one. */
  async function eachWriteIsSeenOnce(version: string): Promise<void> {
    const target = `${base}?watch=1&resourceVersion=${version}&timeoutSeconds=30`
    const [first, second] = await Promise.all([one, two].map((replica) => watchText(replica, target, 4 * rounds)))
    assert.equal(first, second)
    const objects = (first ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { object: Deployment }).object)
    assert.equal(objects.length, 4 * rounds)
    for (const valueOf of [
      ({ spec }: Deployment) => Number(spec.template.spec.containers[0]?.image.split(':')[1]),
      ({ metadata }: Deployment) => Number(metadata.annotations?.['settings'] ?? 0),
      ({ metadata }: Deployment) => Number(metadata.annotations?.['updated'] ?? 0),
      ({ metadata, spec }: Deployment) =>
        metadata.managedFields.some(({ manager }) => manager === 'scaler') ? spec.replicas : 0,
    ]) {
      const values = objects.map(valueOf)
      assert.deepEqual(
        values,
        values.toSorted((left, right) => left - right),
      )
      // Before its first write there is none of its values.
      assert.equal(new Set(values.filter((value) => value > 0)).size, rounds)
    }
  }

  it('concurrent writes all keep their last value, and each manager owns what it wrote', async () => {
    assert.equal((await apply(one, 'images', images(0))).status, 201)
    const version = (await read(two)).metadata.resourceVersion
    let refused = 0
    const rest = Array.from({ length: rounds }, (_, round) => round + 1)
    const each = async (act: (round: number) => Promise<unknown>): Promise<void> => {
      for (const round of rest) await act(round)
    }
    const applied = async (sent: Promise<Answer>): Promise<void> => {
      const { status, text } = await sent
      assert.equal(status, 200, text)
    }
    await Promise.all([
      each((round) => applied(apply(one, 'images', images(round)))),
      each((round) => applied(apply(two, 'settings', settings(round)))),
      each(async (round) => (refused += await update(round % 2 ? one : two, round))),
      each((round) =>
        applied(
          send(round % 2 ? two : one, 'PATCH', `${url}/scale?fieldManager=scaler`, 'application/merge-patch+json', {
            spec: { replicas: round + 100 },
          }),
        ),
      ),
    ])
    assert.ok(refused > 0, 'nobody was in the way of the updater: not at once')

    const object = await read(two)
    assert.deepEqual(object, await read(one))
    await eachWriteIsSeenOnce(version)
    const last = String(rounds)
    const [main, side] = ['main', 'side'].map((name) =>
      object.spec.template.spec.containers.find((one) => one.name === name),
    )
    assert.equal(main?.image, `main:${last}`)
    assert.deepEqual(main?.env, [{ name: 'ROUND', value: last }])
    assert.equal(side?.image, `side:${last}`)
    assert.equal(object.spec.replicas, rounds + 100)
    assert.deepEqual(object.metadata.annotations, { settings: last, updated: last })
    const container = 'spec/template/spec/containers'
    assert.deepEqual(ownersOf(object), {
      'Apply images': [
        'spec/selector',
        'spec/template/metadata/labels/app',
        `${container}/{"name":"main"}/image`,
        `${container}/{"name":"main"}/name`,
      ],
      'Apply settings': [
        'metadata/annotations/settings',
        `${container}/{"name":"main"}/env/{"name":"ROUND"}/name`,
        `${container}/{"name":"main"}/env/{"name":"ROUND"}/value`,
        `${container}/{"name":"main"}/name`,
        `${container}/{"name":"side"}/image`,
        `${container}/{"name":"side"}/name`,
      ],
      'Update updater': ['metadata/annotations/updated'],
      'Update scaler scale': ['spec/replicas'],
    })
  })

  it('sequential writes: a conflict names the owner at the other replica, force and updates move what they change', async () => {
    const image = { spec: { template: { spec: { containers: [{ name: 'main', image: 'main:forced' }] } } } }
    const refusal = await apply(two, 'settings', image)
    assert.equal(refusal.status, 409)
    assert.match(
      refusal.text,
      /conflict with \\"images\\": \.spec\.template\.spec\.containers\[name=\\"main\\"\]\.image/,
    )
    assert.equal((await apply(two, 'settings', image, true)).status, 200)
    const forced = ownersOf(await read(one))
    const owned = 'spec/template/spec/containers/{"name":"main"}/image'
    assert.ok(forced['Apply settings']?.includes(owned))
    assert.ok(!forced['Apply images']?.includes(owned))

    await insist(async () => {
      const object = await read(one)
      const [main] = object.spec.template.spec.containers
      assert.ok(main)
      main.image = 'main:updated'
      return send(one, 'PUT', `${url}?fieldManager=updater`, 'application/json', object)
    })
    const updated = ownersOf(await read(two))
    assert.ok(updated['Update updater']?.includes(owned))
    assert.ok(!updated['Apply settings']?.includes(owned))
  })
})
