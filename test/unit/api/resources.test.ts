import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tables } from '../../../api/index.ts'
import { groupOrder } from '../../../lib/controlplane/index.ts'
import { createFeatureGates } from '../../../lib/features/index.ts'
import { createScheme, type ResourceDefinition, selectServed } from '../../../lib/scheme/index.ts'
import { assertRecorded } from '../../support/recorded.ts'

const facts = join(import.meta.dirname, '../../../../shared/facts')
const scheme = createScheme({ tables, order: groupOrder })

interface Fact {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly subresources: readonly { name: string; verbs: readonly string[]; servedByDefault?: boolean }[]
  readonly [member: string]: unknown
}

/** Ours that stock releases after 1.33 have no more. */
const older = [
  'authentication.k8s.io/v1beta1/selfsubjectreviews',
  'storage.k8s.io/v1alpha1/volumeattributesclasses',
  'storagemigration.k8s.io/v1alpha1/storageversionmigrations',
]

const nameOf = (group: string, version: string, plural: string): string => `${group}/${version}/${plural}`
const sorted = (list: unknown): unknown[] =>
  [...((list ?? []) as string[])].map((each) => each.replace(/ .*/, '')).sort()

/** Members of a fact, and what our table says of the same. */
function compared(fact: Fact, own: ResourceDefinition): Record<string, readonly [unknown, unknown]> {
  const { gvk, gvr, table } = own
  const version = own.storage && `${(table.storageGroup ?? gvr.group) || ''}/${own.storage.version}`.replace(/^\//, '')
  return {
    kind: [fact['kind'], gvk.kind],
    listKind: [fact['listKind'] ?? '', own.listKind],
    singular: [fact['singular'], own.singular],
    shortNames: [fact['shortNames'], own.shortNames],
    categories: [fact['categories'], own.categories],
    namespaced: [fact['namespaced'], own.namespaced],
    verbs: [sorted(fact['verbs']), sorted(own.verbs)],
    storageVersion: [fact['storageVersion'], version],
    storagePrefix: [fact['etcdPrefix'], own.storage?.prefix],
    hash: [fact['storageVersionHash'], own.storage?.hash],
    served: [fact['servedByDefault'], table.served !== false],
    introduced: [fact['introduced'], table.introduced],
    deprecated: [fact['deprecated'], table.deprecated],
    removed: [fact['removed'], table.removed],
    deleteReturns: [fact['deleteReturns'], table.deleteReturns],
    fieldSelectors: [sorted(fact['fieldSelectors']), sorted(table.fieldSelectors)],
    subresources: [
      Object.fromEntries(
        fact.subresources.map((each) => [each.name, [sorted(each.verbs), each.servedByDefault !== false]]),
      ),
      Object.fromEntries(
        Object.entries(own.subresources).map(([name, each]) => [name, [sorted(each.verbs), each.served !== false]]),
      ),
    ],
  }
}

function readLines(name: string, separator = '\n'): string[] {
  const file = join(facts, name)
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(separator) : []
}

describe('resources', () => {
  it('are those of a stock server, with everything that discovery has of them @recorded', () => {
    const seen = new Set(older)
    const lines = readLines('resources.jsonl')
    for (const line of lines) {
      const fact = JSON.parse(line) as Fact
      const { group, version, plural } = fact
      const name = nameOf(group, version, plural)
      seen.add(name)
      const own = scheme.resource({ group, version, resource: plural })
      assert.ok(own, `${name} is missing`)
      for (const [member, [theirs, ours]] of Object.entries(compared(fact, own)))
        assert.deepEqual(ours, theirs, `${name}: ${member}`)
    }
    const own = scheme.resources.map(({ gvr }) => nameOf(gvr.group, gvr.version, gvr.resource))
    if (lines.length > 0)
      assert.deepEqual(
        own.filter((name) => !seen.has(name)),
        [],
      )
    const noFact: Fact = { group: '', version: '', plural: '', subresources: [] }
    assertRecorded(
      'resources',
      scheme.resources.map((resource) => {
        const { group, version, resource: plural } = resource.gvr
        const members = Object.entries(compared(noFact, resource)).map(([member, [, ours]]) => [member, ours ?? null])
        return [nameOf(group, version, plural), Object.fromEntries(members)]
      }),
    )
  })

  it('groups and versions are served in the order of a stock server @recorded', () => {
    const { gate } = createFeatureGates()
    const served = (all: boolean): unknown[] =>
      selectServed(scheme, { runtimeConfig: all ? { 'api/all': true } : {}, gate })
        .filter(({ name }) => name !== '')
        .map(({ name, versions }) => ({ group: name, versions: versions.map(({ version }) => version) }))
    const plain = (groups: { group: string; versions: string[] }[] | undefined): unknown[] =>
      (groups ?? []).map(({ group, versions }) => ({ group, versions }))
    const order = (groups: unknown[]): string[] => groups.map((group) => (group as { group: string }).group)
    const [text] = readLines('groups.json', '\0')
    if (text !== undefined) {
      const { groupOrderInApis, defaultServed } = JSON.parse(text) as Record<
        string,
        { group: string; versions: string[] }[]
      >
      assert.deepEqual(served(false), plain(defaultServed))
      assert.deepEqual(order(served(true)), order(plain(groupOrderInApis)))
    }
    assertRecorded('groups', [
      ['served by default', served(false)],
      ['all', served(true)],
    ])
  })
})
