import assert from 'node:assert/strict'
import type { Node, Pod } from '../../../api/gen/core/v1.ts'
import { listerOf } from '../../../lib/controller/index.ts'
import { answerMetrics, type Sources } from '../../../lib/hollownode/metricsapi/answers.ts'
import { PodAddresses } from '../../../lib/hollownode/node/addresses.ts'
import { ContainerLog } from '../../../lib/hollownode/pods/containerlog.ts'
import { parseRequestInfo } from '../../../lib/request/index.ts'
import { givenObject } from '../../support/controllerscript.ts'

describe('log of a hollow container', () => {
  it('is made of whole lines of each stream, and of what is left at the end', () => {
    const log = new ContainerLog()
    log.write('stdout', 'one\ntw', 1)
    log.write('stderr', 'err', 2)
    log.write('stdout', 'o\n', 3)
    assert.deepEqual(
      log.lines.map(({ atMs, text }) => [atMs, text]),
      [
        [1, 'one\n'],
        [3, 'two\n'],
      ],
    )
    log.end(4)
    assert.deepEqual(log.lines.at(-1), { atMs: 4, stream: 'stderr', text: 'err' })
  })

  it('keeps its last lines, 5,000 at most', () => {
    const log = new ContainerLog()
    for (let line = 0; line < 12_000; line++) log.write('stdout', `${line}\n`, line)
    assert.ok(log.lines.length <= 5000 && log.lines.length >= 4500, String(log.lines.length))
    assert.equal(log.lines.at(-1)?.text, '11999\n')
  })

  it('cuts a line that is too long', () => {
    const log = new ContainerLog()
    log.write('stdout', 'x'.repeat(40_000), 0)
    assert.deepEqual(
      log.lines.map(({ text }) => text.length),
      [16_384, 16_384],
    )
  })

  it('reports each line to those who follow, and the end once', () => {
    const log = new ContainerLog()
    const heard: (string | undefined)[] = []
    log.follow((line) => heard.push(line?.text))
    const stop = log.follow(() => assert.fail('it has left'))
    stop()
    log.write('stdout', 'a\n', 0)
    log.end(1)
    log.follow((line) => heard.push(line?.text))
    assert.deepEqual(heard, ['a\n', undefined, undefined])
  })
})

describe('addresses of hollow pods', () => {
  it('are each given once, and given again after all others', () => {
    const addresses = new PodAddresses()
    assert.deepEqual([addresses.take(), addresses.take()], ['10.128.0.1', '10.128.0.2'])
    addresses.release('10.128.0.1')
    addresses.keep('10.128.0.3')
    assert.equal(addresses.take(), '10.128.0.4')
  })

  it('of other networks are left alone', () => {
    const addresses = new PodAddresses()
    addresses.keep('192.168.0.1')
    addresses.keep('')
    addresses.release('10.0.0.1')
    assert.equal(addresses.take(), '10.128.0.1')
  })
})

describe('metrics API of hollow nodes', () => {
  const pod = (name: string, namespace: string, nodeName: string, labels = {}): Pod =>
    givenObject({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace, labels },
      spec: { nodeName, containers: [{ name: 'c', image: 'i' }] },
    }) as unknown as Pod
  const node = (name: string): Node =>
    givenObject({ apiVersion: 'v1', kind: 'Node', metadata: { name } }) as unknown as Node
  const sources: Sources = {
    nodes: listerOf([node('hollow-0'), node('real')]),
    pods: listerOf([
      pod('a', 'default', 'hollow-0', { app: 'web' }),
      pod('b', 'other', 'hollow-0'),
      pod('c', 'other', 'real'),
    ]),
    nodeNames: new Set(['hollow-0']),
    now: () => Date.UTC(2030, 0, 1),
    usageOf: (key) =>
      key === 'other/c' ? undefined : [{ name: 'c', startedAtMs: 0, cpuMillis: 250, memoryBytes: 64 * 1024 * 1024 }],
  }
  const ask = (path: string): unknown => {
    const { pathname, searchParams } = new URL(path, 'https://metrics')
    const info = parseRequestInfo('GET', pathname, searchParams)
    return answerMetrics(info, searchParams.get('labelSelector') ?? '', sources)
  }
  const namesIn = (path: string): unknown =>
    (ask(path) as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name)
  const root = '/apis/metrics.k8s.io/v1beta1'

  it('lists pods of all namespaces, of one, and by labels', () => {
    assert.deepEqual(namesIn(`${root}/pods`), ['a', 'b'])
    assert.deepEqual(namesIn(`${root}/namespaces/other/pods`), ['b'])
    assert.deepEqual(namesIn(`${root}/pods?labelSelector=app%3Dweb`), ['a'])
    assert.deepEqual(namesIn(`${root}/pods?fieldSelector=metadata.name%3Db`), ['b'])
  })

  it('adds the use of pods to their node, and knows its own nodes alone', () => {
    const { items } = ask(`${root}/nodes`) as { items: { metadata: { name: string }; usage: object }[] }
    assert.deepEqual(
      items.map(({ metadata, usage }) => [metadata.name, usage]),
      [['hollow-0', { cpu: '510m', memory: '192Mi' }]],
    )
  })

  it('answers one object, or that there is none', () => {
    const one = ask(`${root}/namespaces/default/pods/a`) as { containers: unknown; window: string }
    assert.deepEqual(one.containers, [{ name: 'c', usage: { cpu: '250m', memory: '64Mi' } }])
    assert.throws(() => ask(`${root}/namespaces/default/pods/b`), { code: 404 })
    assert.throws(() => ask(`${root}/nodes/real`), { code: 404 })
    for (const path of ['/apis/apps/v1', `${root}/pods/a/x`, `${root}/namespaces/default/nodes`, '/metrics'])
      assert.throws(() => ask(path), { code: 404 }, path)
    assert.throws(() => ask(`${root}/pods?watch=1`), { code: 405 })
  })
})
