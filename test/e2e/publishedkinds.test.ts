import assert from 'node:assert/strict'
import { eventually } from '../support/eventually.ts'
import { publishedKinds } from '../support/published/objects.ts'
import { breakagesOf, messagesIn, readPublished, withValue } from '../support/published/schemas.ts'
import { defineOnReplicas, ok, type Stage, splitArguments as split } from '../support/stages.ts'

const published = readPublished()

interface Wrong {
  readonly name: string
  readonly object: object
  /** A text of the refusal. */
  readonly expected: readonly string[]
}

/** Answers of the stock validation, by the keyword of the schema that an object breaks. */
const refusals: Readonly<Record<string, string>> = {
  required: 'Required value',
  enum: 'Unsupported value',
  pattern: 'should match',
  maxLength: 'Too long',
  minLength: 'should be at least',
  maximum: 'should be less than or equal to',
  minimum: 'should be greater than or equal to',
  maxItems: 'Too many',
  minItems: 'Invalid value: 0: ',
  type: 'must be of type',
}

function objectOf(kind: string, name: string, spec: unknown): { readonly spec: unknown } {
  return { apiVersion: publishedKinds[kind]?.apiVersion, kind, metadata: { name }, spec } as { readonly spec: unknown }
}

const listOf = (items: readonly object[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items })

/** For each rule of a kind that one object can break, such an object. */
function ruleBreakers(kind: string): readonly Wrong[] {
  const broken = Object.entries(publishedKinds[kind]?.broken ?? {})
  return broken.map(([message, spec], index) => {
    const name = `${kind.toLowerCase()}-rule-${index}`
    return { name, object: objectOf(kind, name, spec), expected: [message] }
  })
}

/** For each keyword of a kind's schema that its valid object touches, one that breaks it. */
function schemaBreakers(kind: string): readonly Wrong[] {
  const [schema] = published.find((one) => one.kind === kind)?.schemas ?? []
  const spec = schema?.properties?.['spec']
  if (!spec) return []
  const valid = objectOf(kind, '', publishedKinds[kind]?.valid)
  return Array.from(breakagesOf(spec, valid.spec, 'spec').values(), ({ keyword, path, value }) => {
    const name = `${kind.toLowerCase()}-${keyword.toLowerCase()}`
    const { spec: wrong } = withValue(valid, path, value) as { spec: unknown }
    return { name, object: objectOf(kind, name, wrong), expected: [path, refusals[keyword] ?? keyword] }
  })
}

function defineScript(stage: () => Stage): void {
  before(async function () {
    if (published.length === 0) return this.skip()
    this.timeout(120_000)
    const { write, read } = stage()
    await ok(write, `create ${[...new Set(published.map(({ file }) => `-f ${file}`))].join(' ')}`)
    await ok(write, 'wait --for=condition=Established --timeout=60s crd --all')
    await eventually(async () => {
      const names = await ok(read, 'api-resources --cached=false -o name')
      return published.every(({ plural, group }) => names.includes(`${plural}.${group}`))
    }, 'discovery')
  })

  it('are explained', async () => {
    const { read } = stage()
    for (const { kind, plural, group } of published)
      await eventually(async () => {
        const { stdout } = await read(split(`explain ${plural}.${group}.spec`))
        return stdout.includes(`KIND:       ${kind}`) && /FIELD: spec /.test(stdout)
      }, `${kind} is explained`)
    assert.match(await ok(read, 'explain httproute.spec.rules.matches.path'), /FIELD: path <Object>/)
  })

  it('accept a valid object each', async () => {
    const { write, read } = stage()
    const objects = published.map(({ kind }) => objectOf(kind, 'valid', publishedKinds[kind]?.valid))
    const created = await ok(write, 'create -f -', listOf(objects))
    for (const { plural, group } of published) {
      const singular = plural.replace(/ies$/, 'y').replace(/(?<=class)es$|s$/, '')
      assert.match(created, new RegExp(`^${singular}\\.${group}/valid created$`, 'm'), plural)
    }
    const names = await ok(read, `get ${published.map(({ plural, group }) => `${plural}.${group}`).join()} -o name`)
    assert.equal(names.match(/\/valid$/gm)?.length, published.length, names)
  })

  it('have a refused object for each of their rules, or a reason why there is none', () => {
    for (const { kind, schemas } of published) {
      const { broken = {}, patched = {}, unreachable = {} } = publishedKinds[kind] ?? {}
      const known = Object.keys({ ...broken, ...patched, ...unreachable })
      const messages = new Set(schemas.flatMap((schema) => [...messagesIn(schema)]))
      for (const message of messages)
        assert.ok(
          known.some((one) => message.startsWith(one)),
          `${kind}: nothing breaks: ${message}`,
        )
      for (const one of known)
        assert.ok(
          [...messages].some((message) => message.startsWith(one)),
          `${kind}: no rule says: ${one}`,
        )
    }
  })

  for (const [title, breakers] of [
    ['rule', ruleBreakers],
    ['sort of validation in their schemas', schemaBreakers],
  ] as const)
    it(`refuse an object for each ${title}`, async () => {
      const wrong = published.flatMap(({ kind }) => breakers(kind))
      assert.ok(wrong.length > published.length)
      const { stdout, stderr } = await stage().write(split('create --validate=false -f -'), {
        input: listOf(wrong.map(({ object }) => object)),
      })
      assert.equal(stdout, '', 'all are refused')
      const parts = new Map(stderr.split(/(?="[a-z0-9-]+" is invalid: )/).map((part) => [/^"([^"]+)"/.exec(part)?.[1], part])) // biome-ignore format: one line
      for (const { name, expected } of wrong)
        for (const text of expected) assert.ok(parts.get(name)?.includes(text), `${name}: ${text}\n${parts.get(name)}`)
    })

  it('refuse changes that a rule forbids', async () => {
    const { write } = stage()
    for (const [kind, { patched = {} }] of Object.entries(publishedKinds))
      for (const [message, { subresource, patch }] of Object.entries(patched)) {
        const { plural, group } = published.find((one) => one.kind === kind) ?? {}
        const at = subresource === undefined ? '' : `--subresource=${subresource} `
        const answer = await write(
          split(`patch ${plural}.${group} valid ${at}--type=merge -p '${JSON.stringify(patch)}'`),
        )
        assert.equal(answer.code, 1, answer.stdout)
        assert.ok(answer.stderr.includes(message), answer.stderr)
      }
  })
}

defineOnReplicas('kinds that the world uses', defineScript)
