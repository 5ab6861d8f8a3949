// node test/bench/bodies.ts [KB] [title]: one request after the other with every list of every kind filled, and how long
// each held the event loop. test/integration/endpoints/hugelists.test.ts does the same for a few in process.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adminToken } from '../support/apiserver.ts'
import { startComposed } from '../support/composed.ts'
import { createEndpointKit } from '../support/endpointkit.ts'
import { createHoldMeter } from '../support/holdmeter.ts'
import { hugeBodies } from '../support/hugebodies.ts'
import { ask } from '../support/plane.ts'

const [kilobytes = '3000', wanted = '', shownMs = '100'] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'bodies-'))
const server = await startComposed(folder, ['--disable-admission-plugins=ServiceAccount,Priority,NodeRestriction'])
const kit = await createEndpointKit()
const meter = createHoldMeter()
const results: { title: string; held: number; status: number }[] = []
const url = server.url
const only = new RegExp(wanted)
await ask(url, '/api/v1/namespaces', { token: adminToken, body: { metadata: { name: 'default' } } })

async function send(
  title: string,
  method: string,
  path: string,
  text: string,
  type = 'application/json',
): Promise<number> {
  meter.reset()
  const { status } = await ask(url, path, { token: adminToken, method, body: text, headers: { 'content-type': type } })
  const held = meter.longestMs()
  results.push({ title, held, status })
  if (held > Number(shownMs)) console.log(`${title.padEnd(80)} ${status} ${held.toFixed(0)} ms`)
  return status
}

for await (const { title, definition, valid, huge } of hugeBodies(kit.scheme, Number(kilobytes) * 1000)) {
  if (!only.test(title)) continue
  const { gvr, namespaced } = definition
  const root = gvr.group === '' ? '/api/v1' : `/apis/${gvr.group}/${gvr.version}`
  const path = `${root}${namespaced ? `/namespaces/${valid.metadata.namespace ?? 'default'}` : ''}/${gvr.resource}`
  const own = `${path}/${valid.metadata.name}`
  const text = JSON.stringify(huge)
  const made = await send(`POST ${title}`, 'POST', path, text)
  if (made !== 201) await ask(url, path, { token: adminToken, body: valid })
  await send(`PUT ${title}`, 'PUT', own, text)
  await send(`merge ${title}`, 'PATCH', own, text, 'application/merge-patch+json')
  await send(`strategic ${title}`, 'PATCH', own, text, 'application/strategic-merge-patch+json')
  await send(`apply ${title}`, 'PATCH', `${own}?fieldManager=m&force=true`, text, 'application/apply-patch+yaml')
  const free = { body: { metadata: { finalizers: null } }, headers: { 'content-type': 'application/merge-patch+json' } }
  await ask(url, own, { token: adminToken, method: 'PATCH', ...free })
  await ask(url, `${own}?gracePeriodSeconds=0`, { token: adminToken, method: 'DELETE' })
}
meter.close()
const codes = new Map<number, number>()
for (const { status } of results) codes.set(status, (codes.get(status) ?? 0) + 1)
console.log(`${results.length} requests, answers ${JSON.stringify([...codes])}`)
for (const { title, held, status } of results.sort((a, b) => b.held - a.held).slice(0, 40))
  console.log(`${held.toFixed(0).padStart(7)} ms ${status} ${title}`)
await server.stop()
await kit.close()
rmSync(folder, { recursive: true, force: true })
