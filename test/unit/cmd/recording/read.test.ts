import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readRecording } from '../../../../cmd/pilothouse/replay/read.ts'
import { scratchFolder } from '../../../support/apiserver.ts'

const head = '{"pilothouseRecording":1,"startedAt":"2026-11-27T10:00:00Z"}'
const request = (more: object): string =>
  JSON.stringify({ type: 'request', id: 1, atMs: 0, method: 'GET', path: '/api', query: '', headers: {}, ...more })

const refused: Readonly<Record<string, readonly [lines: readonly string[], message: RegExp]>> = {
  'an empty file': [[], /, line 1: this is no JSON$/],
  'another file': [['{"kind":"Pod"}'], /, line 1: this is no recording of pilothouse record$/],
  'another version': [['{"pilothouseRecording":2}'], /, line 1: the recording has version 2; this program reads 1$/],
  'a line of no JSON': [[head, request({}), 'x'], /, line 3: this is no JSON$/],
  'a line of another type': [[head, '{"type":"constructor"}'], /, line 2: "constructor" is no type of line$/],
  'another method': [[head, request({ method: 'CONNECT' })], /, line 2: method of the request is missing or wrong$/],
  'a number for a path': [[head, request({ path: 7 })], /, line 2: path of the request/],
  'headers with credentials': [
    [head, request({ headers: { authorization: 'x' } })],
    /, line 2: headers of the request/,
  ],
  'headers with line ends': [[head, request({ headers: { accept: 'a\r\nb: c' } })], /, line 2: headers of the request/],
  'an answer to no request': [
    [head, '{"type":"answer","id":9,"atMs":1,"status":200}'],
    /, line 2: there is no request 9/,
  ],
  'two requests of one id': [[head, request({}), request({})], /, line 3: there is another request 1$/],
}

const paths: readonly string[] = [
  'http://other/api',
  '//other/api',
  '@other/api',
  '/api@other',
  '/metrics',
  '/debug/pprof',
  '/api/../metrics',
  '/api/%2e%2e/metrics',
  '/api/v1/pods/a%2fb',
  '/api//v1',
  '/api\\v1',
  '/api/v1#x',
  '/api/v1?x',
  '/api/\u0000',
  '/api/%00',
  '/api/%zz',
  '/apix',
  '/api/v1/nodes/n/proxy/run',
  '/api/v1/namespaces/default/pods/web:80/proxy/',
  '/api/v1/namespaces/default/services/https:web:/proxy',
  `/api/${'a'.repeat(9000)}`,
]

describe('cmd: replay reads recordings', () => {
  const folder = scratchFolder('recordings')
  const path = join(folder.path, 'file')
  after(() => folder.remove())
  const read = async (...lines: readonly string[]): ReturnType<typeof readRecording> => {
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
    return await readRecording(path)
  }

  for (const [title, [lines, message]] of Object.entries(refused))
    it(`${title} is refused with the line`, async () => {
      await assert.rejects(read(...lines), (error: Error) => {
        assert.match(error.message, message)
        assert.ok(error.message.startsWith(path))
        return true
      })
    })

  for (const place of paths)
    it(`a request for ${JSON.stringify(place.slice(0, 50))} is refused`, async () => {
      await assert.rejects(read(head, request({ path: place })), /, line 2: the path .* is none of the API$/)
    })

  it('a query with a line end is refused', async () => {
    await assert.rejects(read(head, request({ query: 'a=b\r\nHost: other' })), /, line 2: the path/)
  })

  it('a recording that ended early is read, with its answers and events', async () => {
    const { calls, isTruncated } = await read(
      head,
      request({ id: 2, atMs: 5, path: '/apis/apps/v1/deployments', query: 'watch=true' }),
      request({ id: 1, atMs: 1 }),
      '{"type":"answer","id":2,"atMs":6,"status":200}',
      '{"type":"event","id":2,"atMs":7,"event":"ADDED","outline":{"name":"web"}}',
      '{"type":"answer","id":1,"atMs":9,"status":200,"bytes":5}',
      '{"type":"truncated","atMs":10}',
    )
    assert.ok(isTruncated)
    assert.deepEqual(
      calls.map(({ request: { id }, endMs, events, isStream }) => [id, endMs, [...events.objects], isStream]),
      [
        [1, 9, [], false],
        [2, undefined, ['/web'], true],
      ],
    )
  })
})
