import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { tables } from '../../api/index.ts'
import { type Lister, listerOf, nameOf } from '../../lib/controller/index.ts'
import { builtInKinds, createKindSet } from '../../lib/kinds/index.ts'
import {
  type ApiObject,
  type Frozen,
  type JsonValue,
  parseGroupVersion,
  parseTime,
  type ResourceType,
} from '../../lib/object/index.ts'
import { createScheme } from '../../lib/scheme/index.ts'

/**
 * Runs the scripts of a controller's plans, test/golden/controllers/<name>/*.yaml. Each file is a list of cases:
 *
 *     - title: makes the pods that are missing
 *       now: 2026-01-02T03:04:05Z      # default 2026-01-01T00:00:00Z
 *       key: default/web
 *       given:                         # objects as a user writes them; defaults are filled in as the server would
 *         - { apiVersion: apps/v1, kind: ReplicaSet, metadata: { name: web, namespace: default, uid: u1 }, … }
 *       input: { … }                   # whatever else the plan is given
 *       expect: { create: 3 }
 *
 * Plans of other rooms lie in a folder of that room: test/golden/<room>/<name>.
 *
 * `decide` observes and plans, and answers what is to be compared with `expect`, in plain values. Absent and undefined
 * fields are the same.
 */
export function runScripts(name: string, decide: (given: Given) => unknown, room = 'controllers'): void {
  const folder = join(import.meta.dirname, '../golden', room, name)
  for (const file of readdirSync(folder)
    .filter((each) => each.endsWith('.yaml'))
    .sort()) {
    describe(`${name}: ${file.slice(0, -'.yaml'.length).replaceAll('-', ' ')}`, () => {
      const cases = parse(readFileSync(join(folder, file), 'utf8'), { merge: true }) as readonly Case[]
      for (const each of cases)
        it(each.title, async () => {
          assert.deepEqual(plainly(await decide(givenOf(each))), each.expect ?? null)
        })
    })
  }
}

interface Case {
  readonly title: string
  readonly now?: string
  readonly key?: string
  readonly given?: readonly JsonValue[]
  readonly input?: Readonly<Record<string, unknown>>
  readonly expect?: unknown
}

/** The arguments of a case for a plan. */
export interface Given {
  readonly nowMs: number
  readonly key: string
  readonly input: Readonly<Record<string, unknown>>
  /** The given objects of one resource. */
  lister<T extends ApiObject>(type: ResourceType<T>): Lister<T>
}

const kinds = createKindSet(builtInKinds)
const scheme = createScheme({ tables, kinds: (group, kind) => kinds.get(group, kind) })

/** An object as the server would hold it. */
export function givenObject(tree: unknown): Frozen<ApiObject> {
  const { apiVersion, kind } = tree as { apiVersion: string; kind: string }
  const groupVersion = parseGroupVersion(apiVersion)
  assert.ok(groupVersion, `${apiVersion} is no version`)
  const { object } = scheme.objects.decodeObject(
    { tree: tree as JsonValue },
    { mediaType: 'application/json', expected: { ...groupVersion, kind }, fieldValidation: 'Strict' },
  )
  return object
}

function givenOf({ now = '2026-01-01T00:00:00Z', key = '', given = [], input = {} }: Case): Given {
  const objects = given.map((tree) => givenObject(tree))
  const listers = new Map<string, Lister<ApiObject>>()
  return {
    nowMs: parseTime(now),
    key,
    input,
    lister: <T extends ApiObject>(type: ResourceType<T>) => {
      const of = objects.filter(
        ({ apiVersion, kind }) =>
          kind === type.kind && apiVersion === (type.group === '' ? type.version : `${type.group}/${type.version}`),
      )
      const name = nameOf(type)
      const known = listers.get(name) ?? listerOf<ApiObject>(of)
      listers.set(name, known)
      return known as Lister<T>
    },
  }
}

function plainly(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value))
}
