// Checks that rooms import strictly lower rows, always through the other room's index.ts. The rows are in rooms.ts.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { rows } from './rooms.ts'

const root = join(import.meta.dirname, '..')

/** Rooms of one row that may import each other, each with its reason in hack/decisions. */
const exceptions = new Set(['scheme>codec', 'schema>object', 'pki>base'])

/** Modules that only the named rooms may import: where sockets live. */
const sockets = /^node:(http|https|http2|net|tls)$/
const socketRooms = new Set([
  'server',
  'client',
  'egress',
  'proxy',
  'storage',
  'authn',
  'authz',
  'audit',
  'admission',
  'storetools',
  'hollownode',
])

const rowOf = new Map(rows.flatMap((rooms, row) => rooms.map((room) => [room, row] as const)))
const problems: string[] = []

function check(file: string): void {
  const path = relative(join(root, 'lib'), file)
  const room = path.split('/')[0] ?? ''
  const row = rowOf.get(room)
  if (row === undefined) return void problems.push(`lib/${path}: room ${room} has no row`)
  const text = readFileSync(file, 'utf8')
  for (const [statement = '', specifier = ''] of text.matchAll(
    /(?:^|\n)(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]/g,
  )) {
    // isIP and similar functions are not sockets.
    const onlyAddresses = /^\s*(?:import|export)\s*\{[\s,]*(?:isIP(?:v4|v6)?|BlockList|[\s,])+\}/.test(statement)
    if (sockets.test(specifier) && !socketRooms.has(room) && !onlyAddresses)
      problems.push(`lib/${path}: ${specifier} belongs to rooms with sockets`)
    if (specifier === 'node:http' && !/^\s*import type\b/.test(statement))
      problems.push(`lib/${path}: values of node:http come from base, which loads less (base/nodehttp.ts)`)
    if (!specifier.startsWith('.')) continue
    const target = relative(root, resolve(dirname(file), specifier))
    checkTarget(path, room, row, target)
  }
}

function checkTarget(path: string, room: string, row: number, target: string): void {
  if (target.startsWith('api/')) return
  if (!target.startsWith('lib/')) return void problems.push(`lib/${path}: imports ${target}`)
  const [, other = '', ...rest] = target.split('/')
  if (other === room) return
  const otherRow = rowOf.get(other)
  if (otherRow === undefined) problems.push(`lib/${path}: room ${other} has no row`)
  else if (otherRow >= row && !exceptions.has(`${room}>${other}`))
    problems.push(`lib/${path}: row ${row} imports ${other} of row ${otherRow}`)
  if (rest.join('/') !== 'index.ts') problems.push(`lib/${path}: imports ${target}, not the room's index.ts`)
}

for (const entry of readdirSync(join(root, 'lib'), { recursive: true })) {
  const file = String(entry)
  if (file.endsWith('.ts')) check(join(root, 'lib', file))
}
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}
