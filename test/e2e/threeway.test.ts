import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { defineOnReplicas, ok, type Stage, splitArguments } from '../support/stages.ts'

interface Case {
  /** As kubectl names the object: `deployment.apps/threeway`. */
  readonly says: string
  /** What kubectl says of it when nothing has changed. */
  readonly again?: 'configured'
  readonly first: object
  readonly second: object
  readonly then: Readonly<Record<string, unknown>>
}

const file = join(import.meta.dirname, '../golden/kubectl/threeway.yaml')
// A later release of YAML than clients read: only JSON goes to them.
const cases = parse(readFileSync(file, 'utf8')) as readonly Case[]
const manifests = (which: 'first' | 'second'): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'List', items: cases.map((one) => one[which]) })
const saying = (what: string): string => cases.map(({ says }) => `${says} ${what}\n`).join('')
const sayingUnchanged = cases.map(({ says, again = 'unchanged' }) => `${says} ${again}\n`).join('')

/** `spec.ports.0.name`; null where there is nothing. */
function at(object: unknown, path: string): unknown {
  let value = object
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name]
  return value ?? null
}

defineOnReplicas('apply of every workload', (stage: () => Stage) => {
  describe('on the client side', () => defineScript(stage, 'client-side', ''))
  describe('on the server side', () => defineScript(stage, 'server-side', ' --server-side'))
})

/** `how`: flags of apply and diff. */
function defineScript(stage: () => Stage, namespace: string, how: '' | ' --server-side'): void {
  const inside = ` --namespace=${namespace} -f -`
  const versions = `get -o jsonpath={.items[*].metadata.resourceVersion}${inside}`
  const [created, unchanged, configured] = how
    ? [saying('serverside-applied'), saying('serverside-applied'), saying('serverside-applied')]
    : [saying('created'), sayingUnchanged, saying('configured')]
  let objects: readonly unknown[] = []

  it('creates, and then finds them unchanged', async () => {
    const { write, read } = stage()
    await ok(write, `create namespace ${namespace}`)
    // Pods are refused without one, and no controller makes it here.
    await ok(write, `create serviceaccount default --namespace=${namespace}`)
    assert.equal(await ok(write, `apply${how}${inside}`, manifests('first')), created)
    const before = await ok(read, versions, manifests('first'))
    assert.equal(await ok(write, `apply${how}${inside}`, manifests('first')), unchanged)
    assert.equal(await ok(read, versions, manifests('first')), before)
  })

  it('shows every difference before it is made, and changes nothing', async () => {
    const { read } = stage()
    const before = await ok(read, versions, manifests('first'))
    const shown = await read(splitArguments(`diff${how}${inside}`), { input: manifests('second') })
    assert.equal(shown.code, 1, shown.stderr)
    for (const { second } of cases)
      assert.match(shown.stdout, new RegExp(`^\\+\\+\\+ \\S+\\.${(second as { kind: string }).kind}\\.`, 'm'))
    assert.equal(await ok(read, versions, manifests('first')), before)
  })

  it('configures them, and then finds no difference', async () => {
    const { write, read } = stage()
    assert.equal(await ok(write, `apply${how}${inside}`, manifests('second')), configured)
    objects = (JSON.parse(await ok(read, `get -o json${inside}`, manifests('second'))) as { items: unknown[] }).items
    assert.equal(await ok(read, `diff${how}${inside}`, manifests('second')), '')
    const before = await ok(read, versions, manifests('second'))
    assert.equal(await ok(write, `apply${how}${inside}`, manifests('second')), unchanged)
    assert.equal(await ok(read, versions, manifests('second')), before)
  })

  if (how === '')
    it('describes each of them', async () => {
      const result = await stage().read(splitArguments(`describe${inside}`), { input: manifests('second') })
      assert.equal(`${result.code} ${result.stderr}`, '0 ')
      assert.equal(result.stdout.match(/^Name: +threeway$/gm)?.length, cases.length)
    })

  for (const [index, { says, then }] of cases.entries())
    it(`${says}: applied fields exist, those no longer applied are removed, the rest stays`, () => {
      const wrong = Object.entries(then)
        .map(([path, expected]) => ({ path, expected, actual: at(objects[index], path) }))
        .filter(({ expected, actual }) => !isDeepStrictEqual(actual, expected))
      assert.deepEqual(wrong, [])
    })
}
