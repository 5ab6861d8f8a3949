import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually, eventuallyEquals } from '../support/eventually.ts'
import { defineOnReplicas, ok, type Stage, splitArguments as split } from '../support/stages.ts'

const samples = join(import.meta.dirname, '../support/crds')
const sample = (file: string): string => readFileSync(join(samples, file), 'utf8')

const widget = (name: string, spec: object): string =>
  JSON.stringify({ apiVersion: 'shop.example.com/v1', kind: 'Widget', metadata: { name }, spec })

/** An operator's whole way of working, through kubectl; `stage` is set up by the suite. */
function defineScript(stage: () => Stage): void {
  it('establishes definitions that are applied', async () => {
    const { write } = stage()
    for (const file of ['widgets.yaml', 'regions.yaml'])
      assert.match(
        await ok(write, 'apply -f -', sample(file)),
        /^customresourcedefinition.apiextensions.k8s.io\/\S+ created\n$/,
      )
    await ok(
      write,
      'wait --for=condition=Established --timeout=30s crd/widgets.shop.example.com crd/regions.shop.example.com',
    )
  })

  it('serves them on every replica, in discovery and to explain', async () => {
    const { read } = stage()
    assert.match(await ok(read, 'get widgets'), /^$/)
    await eventually(
      async () => /^widgets +wd +shop.example.com\/v1 +true +Widget$/m.test(await ok(read, 'api-resources')),
      'widgets are in discovery',
    )
    assert.match(await ok(read, 'explain widget.spec.name'), /FIELD: name <string>[\s\S]*Its name\./)
    assert.match(await ok(read, 'explain widget.spec.parts.weight'), /FIELD: weight <number>/)
  })

  it('creates, reads, patches and scales objects', async () => {
    const { write, read } = stage()
    assert.equal(
      await ok(write, 'create -f -', widget('one', { name: 'hammer', port: 'http' })),
      'widget.shop.example.com/one created\n',
    )
    assert.match(await ok(read, 'get wd one'), /^NAME +REPLICAS +READY +AGE\none +1 +\S+\n$/)
    assert.equal(
      await ok(read, "get wd one -o jsonpath='{.spec}'"),
      '{"name":"hammer","port":"http","replicas":1,"tier":"silver"}',
    )
    await ok(write, `patch wd one --type=merge -p '{"spec":{"port":80}}'`)
    await ok(
      write,
      `patch wd one --subresource=status --type=merge -p '{"status":{"conditions":[{"type":"Ready","status":"True"}]}}'`,
    )
    assert.match(await ok(read, 'get shop'), /^one +1 +True +/m)
    assert.equal(await ok(write, 'scale wd one --replicas=4'), 'widget.shop.example.com/one scaled\n')
    assert.equal(await ok(read, 'get wd --field-selector spec.tier=silver -o name'), 'widget.shop.example.com/one\n')
    assert.equal(await ok(read, 'get wd --field-selector spec.tier=gold -o name'), '')
    const older = await read(split('get widgets.v1beta1.shop.example.com one -o jsonpath={.apiVersion}'))
    assert.equal(older.stdout, 'shop.example.com/v1beta1')
    assert.match(
      older.stderr,
      /^Warning: shop.example.com\/v1beta1 Widget is deprecated; use shop.example.com\/v1 Widget$/m,
    )
  })

  const refused: readonly [title: string, spec: object, expected: RegExp][] = [
    ['a missing field', {}, /spec\.name: Required value/],
    ['a pattern', { name: 'A' }, /spec\.name: Invalid value: "A": spec\.name in body should match '\^\[a-z\]\+\$'/],
    ['a length', { name: 'a'.repeat(21) }, /spec\.name: Too long: may not be more than 20 bytes/],
    ['an enum', { name: 'a', tier: 'tin' }, /spec\.tier: Unsupported value: "tin": supported values: "gold", "silver"/],
    ['a bound', { name: 'a', replicas: -1 }, /spec\.replicas in body should be greater than or equal to 0/],
    ['a list map', { name: 'a', parts: [{ id: 'x' }, { id: 'x' }] }, /spec\.parts\[1\]: Duplicate value: \{"id":"x"\}/],
    [
      'an embedded object',
      { name: 'a', template: { kind: 'Pod' } },
      /spec\.template\.apiVersion: Required value: must not be empty/,
    ],
    ['a rule', { name: 'a', replicas: 6 }, /spec: Invalid value: only gold ones have more than five replicas/],
  ]
  for (const [title, spec, expected] of refused)
    it(`refuses an object that breaks ${title}`, async () => {
      const answer = await stage().write(split('create --validate=false -f -'), { input: widget('bad', spec) })
      assert.equal(answer.code, 1, answer.stdout)
      assert.match(answer.stderr, expected)
    })

  it('refuses unknown fields on request, and an update that a rule forbids', async () => {
    const { write } = stage()
    const unknown = await write(split('create -f -'), { input: widget('bad', { name: 'a', nme: 'b' }) })
    assert.match(unknown.stderr, /unknown field "spec.nme"/)
    const renamed = await write(split(`patch wd one --type=merge -p '{"spec":{"name":"saw"}}'`))
    assert.match(renamed.stderr, /spec\.name: Invalid value: the name stays/)
  })

  it('applies on the server with fields owned by the schema', async () => {
    const { write, read } = stage()
    const apply = (manager: string): string => `apply --server-side --field-manager=${manager} -f -`
    await ok(write, apply('a'), widget('two', { name: 'drill', parts: [{ id: 'x' }] }))
    await ok(write, apply('b'), widget('two', { name: 'drill', parts: [{ id: 'y', weight: 2 }] }))
    assert.equal(
      await ok(read, "get wd two -o jsonpath='{.spec.parts}'"),
      '[{"id":"x","weight":1},{"id":"y","weight":2}]',
    )
    const conflict = await write(split(apply('c')), {
      input: widget('two', { name: 'drill', parts: [{ id: 'y', weight: 3 }] }),
    })
    assert.match(conflict.stderr, /conflict with "b"[\s\S]*\.spec\.parts\[id="y"\]\.weight/)
    assert.match(await ok(write, 'apply -f -', widget('three', { name: 'axe' })), /created/)
    assert.match(await ok(write, 'apply -f -', widget('three', { name: 'axe', replicas: 2 })), /configured/)
  })

  it('serves cluster-scoped objects', async () => {
    const { write, read } = stage()
    const region = JSON.stringify({
      apiVersion: 'shop.example.com/v1alpha1',
      kind: 'Region',
      metadata: { name: 'r' },
      country: 'de',
      limits: { a: 1 },
    })
    await ok(write, 'create -f -', region)
    assert.match(await ok(read, 'get regions'), /^NAME +AGE\nr +\S+\n$/)
  })

  it('deletes the objects with their definition', async () => {
    const { write, read } = stage()
    await ok(write, 'delete crd widgets.shop.example.com regions.shop.example.com --timeout=60s')
    await eventuallyEquals(async () => (await read(split('get widgets.shop.example.com'))).code, 1, 'widgets are gone')
    await ok(write, 'apply -f -', sample('widgets.yaml'))
    await ok(write, 'wait --for=condition=Established --timeout=30s crd/widgets.shop.example.com')
    assert.equal(await ok(read, 'get widgets.shop.example.com -o name'), '')
  })
}

defineOnReplicas('kubectl on custom resources', defineScript)
