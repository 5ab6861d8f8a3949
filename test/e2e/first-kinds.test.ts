import assert from 'node:assert/strict'
import { eventually } from '../support/eventually.ts'
import { defineOnStages, ok, type Stage, splitArguments as split } from '../support/stages.ts'

const configMap = (name: string, data: Record<string, string>): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })

/** What a new user tries, in order; `stage` is set up by the suite. */
function defineScript(stage: () => Stage): void {
  it('answers version and api-resources', async () => {
    assert.match(await ok(stage().read, 'version -o json'), /"serverVersion"[\s\S]*"minor": "36"/)
    const resources = await ok(stage().read, 'api-resources')
    for (const row of [
      /^configmaps +cm +v1 +true +ConfigMap$/m,
      /^namespaces +ns +v1 +false +Namespace$/m,
      /^leases +coordination\.k8s\.io\/v1 +true +Lease$/m,
      /^events +ev +events\.k8s\.io\/v1 +true +Event$/m,
    ])
      assert.match(resources, row)
  })

  it('starts with the system namespaces', async () => {
    const listed = await ok(stage().read, 'get namespaces')
    for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease'])
      assert.match(listed, new RegExp(`^${name} +Active +\\S+$`, 'm'))
  })

  it('creates, reads in every output, and lists', async () => {
    const { write, read } = stage()
    assert.equal(
      await ok(write, 'create configmap one --from-literal=a=1 --from-literal=b=2'),
      'configmap/one created\n',
    )
    assert.equal(await ok(read, "get cm one -o jsonpath='{.data.a}{.data.b}'"), '12')
    assert.match(
      await ok(read, 'get cm one -o yaml'),
      /^apiVersion: v1\ndata:\n {2}a: "1"\n {2}b: "2"\nkind: ConfigMap\n/,
    )
    assert.match(await ok(read, 'get cm one'), /^NAME +DATA +AGE\none +2 +\S+\n$/)
    assert.match(await ok(read, 'get cm -A -o wide'), /^NAMESPACE +NAME +DATA +AGE\n/)
    assert.match(await ok(read, 'get cm one -o name'), /^configmap\/one\n$/)
    assert.equal(
      (await read(['get', 'cm', 'nothing'])).stderr,
      'Error from server (NotFound): configmaps "nothing" not found\n',
    )
    const again = await write(split('create configmap one'))
    assert.equal(again.stderr, 'error: failed to create configmap: configmaps "one" already exists\n')
  })

  it('labels, annotates, patches in three ways, edits and replaces', async () => {
    const { write, read } = stage()
    assert.equal(await ok(write, 'label cm one color=red'), 'configmap/one labeled\n')
    assert.equal(await ok(write, 'label cm one color=blue --overwrite'), 'configmap/one labeled\n')
    assert.equal(await ok(write, 'annotate cm one note=hello'), 'configmap/one annotated\n')
    assert.equal(await ok(read, 'get cm -l color=blue -o name'), 'configmap/one\n')
    assert.equal(await ok(read, 'get cm -l color=red -o name'), '')
    assert.equal(await ok(read, 'get cm --field-selector metadata.name=one -o name'), 'configmap/one\n')
    await ok(write, `patch cm one -p '{"data":{"c":"3"}}'`)
    await ok(write, `patch cm one --type=merge -p '{"data":{"a":null}}'`)
    await ok(write, `patch cm one --type=json -p '[{"op":"replace","path":"/data/b","value":"two"}]'`)
    assert.equal(await ok(read, 'get cm one -o jsonpath={.data}'), '{"b":"two","c":"3"}')
    const edited = await write(['edit', 'cm', 'one'], { env: { EDITOR: 'sed -i s/two/deux/' } })
    assert.match(edited.stdout, /configmap\/one edited/, edited.stderr)
    assert.equal(await ok(write, 'replace -f -', configMap('one', { z: '26' })), 'configmap/one replaced\n')
    assert.equal(await ok(read, 'get cm one -o jsonpath={.data}'), '{"z":"26"}')
  })

  it('applies, diffs and applies again on the client side', async () => {
    const { write } = stage()
    assert.equal(await ok(write, 'apply -f -', configMap('two', { a: '1', b: '2' })), 'configmap/two created\n')
    assert.equal(await ok(write, 'apply -f -', configMap('two', { a: '1', b: '2' })), 'configmap/two unchanged\n')
    const difference = await write(['diff', '-f', '-'], { input: configMap('two', { a: '9' }) })
    assert.equal(difference.code, 1, difference.stderr)
    assert.match(difference.stdout, /^- {2}a: "1"$/m)
    assert.match(difference.stdout, /^\+ {2}a: "9"$/m)
    assert.equal(await ok(write, 'apply -f -', configMap('two', { a: '9' })), 'configmap/two configured\n')
    assert.equal(await ok(write, 'get cm two -o jsonpath={.data}'), '{"a":"9"}')
  })

  it("refuses unknown fields on kubectl's request", async () => {
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'odd' }, dta: {} })
    const refused = await stage().write(['create', '-f', '-'], { input: body })
    assert.match(refused.stderr, /strict decoding error: unknown field "dta"/)
    assert.equal(
      (await stage().write(['create', '--validate=warn', '-f', '-'], { input: body })).stderr,
      'Warning: unknown field "dta"\n',
    )
  })

  it('explains kinds', async () => {
    const text = await ok(stage().read, 'explain configmap.data')
    assert.match(text, /^KIND: +ConfigMap\nVERSION: +v1\n\nFIELD: data <map\[string\]string>\n/)
    assert.match(await ok(stage().read, 'explain lease.spec --recursive'), /leaseDurationSeconds\t<integer>/)
  })

  it('describes objects', async () => {
    const { write, read } = stage()
    await ok(write, 'create secret generic keys --from-literal=password=hunter2')
    assert.match(await ok(read, 'describe secret keys'), /^Type: +Opaque\n\nData\n====\npassword: +7 bytes\n$/m)
    assert.match(await ok(read, 'describe cm two'), /^Name: +two\n/)
    assert.match(await ok(read, 'describe namespace default'), /^Status: +Active$/m)
  })

  it('lists in chunks and by raw path', async () => {
    const { write, read } = stage()
    await ok(write, 'create namespace chunks')
    const items = Array.from({ length: 25 }, (_, index) => configMap(`c${index}`, {}))
    await ok(write, 'create -n chunks -f -', items.map((item) => `---\n${item}\n`).join(''))
    assert.equal((await ok(read, 'get cm -n chunks --chunk-size=7 -o name')).split('\n').length - 1, 25)
    const raw = JSON.parse(await ok(read, 'get --raw /api/v1/namespaces/chunks/configmaps?limit=5'))
    assert.equal(raw.items.length, 5)
    assert.equal(raw.metadata.remainingItemCount, 20)
  })

  it('watches what another replica writes, and waits', async () => {
    const { write, read } = stage()
    await ok(write, 'create configmap watched --from-literal=ready=no')
    let seen = ''
    const isEnough = (stdout: string): boolean => {
      seen = stdout
      return /^DELETED +watched .*\n/m.test(seen) // kubectl writes lines in pieces
    }
    const watching = read(split('get cm --watch-only --output-watch-events'), { isEnough })
    const waiting = read(split('wait cm/watched --for=jsonpath={.data.ready}=yes --timeout=50s'))
    // Only its first event shows that a watch has begun.
    let round = 0
    await eventually(async () => {
      await ok(write, `patch cm watched -p '{"data":{"round":"${round++}"}}'`)
      return seen.includes('MODIFIED')
    }, 'an event')
    await ok(write, `patch cm watched -p '{"data":{"ready":"yes"}}'`)
    assert.match((await waiting).stdout, /^configmap\/watched condition met$/m)
    await ok(write, 'delete cm watched')
    assert.match((await watching).stdout, /^MODIFIED +watched +2 .*\n[\s\S]*^DELETED +watched +2 /m)
  })

  it('serves service accounts, leases and events', async () => {
    const { write, read } = stage()
    await ok(write, 'create serviceaccount robot')
    assert.match(await ok(read, 'get sa robot'), /^NAME +AGE\nrobot +\S+\n$/)
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'held' },
      spec: { holderIdentity: 'me' },
    }
    await ok(write, 'create -f -', JSON.stringify(lease))
    assert.match(await ok(read, 'get lease held'), /^NAME +HOLDER +AGE\nheld +me +\S+\n$/)
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'happened.1' },
      involvedObject: { kind: 'ConfigMap', namespace: 'default', name: 'two' },
      type: 'Warning',
      reason: 'Testing',
      message: 'as planned',
    }
    await ok(write, 'create -f -', JSON.stringify(event))
    assert.match(
      await ok(read, 'get events --field-selector type=Warning'),
      /Warning +Testing +configmap\/two +as planned/,
    )
    assert.match(await ok(read, 'get events.events.k8s.io happened.1 -o jsonpath={.note}'), /^as planned$/)
  })

  it('deletes with finalizers in two stages', async () => {
    const { write, read } = stage()
    const held = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'held', finalizers: ['example.com/hold'] } }
    await ok(write, 'create -f -', JSON.stringify(held))
    assert.equal(await ok(write, 'delete cm held --wait=false'), 'configmap "held" deleted\n')
    assert.match(await ok(read, 'get cm held -o jsonpath={.metadata.deletionTimestamp}'), /^\d{4}-/)
    await ok(write, `patch cm held --type=merge -p '{"metadata":{"finalizers":null}}'`)
    assert.match((await read(['get', 'cm', 'held'])).stderr, /NotFound/)
  })

  it('deletes one, many and by selector', async () => {
    const { write, read } = stage()
    assert.equal(await ok(write, 'delete cm one'), 'configmap "one" deleted\n')
    await ok(write, 'delete cm --all -n chunks')
    assert.equal(await ok(read, 'get cm -n chunks -o name'), '')
    const refused = await write(['delete', 'namespace', 'default'])
    assert.match(refused.stderr, /namespaces "default" is forbidden: this namespace may not be deleted/)
  })
}

defineOnStages('kubectl and the first kinds', defineScript)
