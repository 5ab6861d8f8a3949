import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { isDeepStrictEqual } from 'node:util'
import { defineOnStages, ok, type Stage } from '../support/stages.ts'

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
const versions = 'get -o jsonpath={.items[*].metadata.resourceVersion} -f -'

/** `spec.ports.0.name`; null where there is nothing. */
function at(object: unknown, path: string): unknown {
  let value = object
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name]
  return value ?? null
}

defineOnStages('client-side apply of every workload', (stage: () => Stage) => {
  let objects: readonly unknown[] = []

  it('creates, and then finds them unchanged', async () => {
    const { write, read } = stage()
    // Pods are refused without one, and no controller makes it here.
    await ok(write, 'create serviceaccount default')
    assert.equal(await ok(write, 'apply -f -', manifests('first')), saying('created'))
    const before = await ok(read, versions, manifests('first'))
    assert.equal(await ok(write, 'apply -f -', manifests('first')), sayingUnchanged)
    assert.equal(await ok(read, versions, manifests('first')), before)
  })

  it('shows every difference before it is made, and changes nothing by that', async () => {
    const { read } = stage()
    const before = await ok(read, versions, manifests('first'))
    const shown = await read(['diff', '-f', '-'], { input: manifests('second') })
    assert.equal(shown.code, 1, shown.stderr)
    for (const { second } of cases)
      assert.match(shown.stdout, new RegExp(`^\\+\\+\\+ \\S+\\.${(second as { kind: string }).kind}\\.`, 'm'))
    assert.equal(await ok(read, versions, manifests('first')), before)
  })

  it('configures them, and then finds no difference', async () => {
    const { write, read } = stage()
    assert.equal(await ok(write, 'apply -f -', manifests('second')), saying('configured'))
    objects = (JSON.parse(await ok(read, 'get -o json -f -', manifests('second'))) as { items: unknown[] }).items
    assert.equal(await ok(read, 'diff -f -', manifests('second')), '')
    assert.equal(await ok(write, 'apply -f -', manifests('second')), sayingUnchanged)
  })

  it('describes each of them', async () => {
    const { code, stdout, stderr } = await stage().read(['describe', '-f', '-'], { input: manifests('second') })
    assert.equal(`${code} ${stderr}`, '0 ')
    assert.equal(stdout.match(/^Name: +threeway$/gm)?.length, cases.length)
  })

  for (const [index, { says, then }] of cases.entries())
    it(`${says}: what was applied is there, what is applied no more is gone, the rest stays`, () => {
      const wrong = Object.entries(then)
        .map(([path, expected]) => ({ path, expected, actual: at(objects[index], path) }))
        .filter(({ expected, actual }) => !isDeepStrictEqual(actual, expected))
      assert.deepEqual(wrong, [])
    })
})
