import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { containerPath } from '../../../console/state/containerpath.ts'
import { BadArchive, TarReader, TooLargeArchive, tarEnd, tarHeader } from '../../../console/state/tar.ts'

interface Given {
  readonly name?: string
  readonly size?: number
  readonly type?: string
  readonly content?: string
  /** Fields that are written over, by position. */
  readonly over?: Readonly<Record<number, string>>
}

/** A header and its content; the sum is right, whatever the fields are. */
function entry({ name = 'a', content = '', type = '0', size = content.length, over = {} }: Given = {}): Buffer {
  const header = Buffer.from(tarHeader('x', size, 0))
  header.fill(0, 0, 100)
  const fields = { 0: name, 156: type, 148: '        ', ...over }
  for (const [at, text] of Object.entries(fields)) header.write(text, Number(at), 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  if (over[148] === undefined) header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return Buffer.concat([header, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)])
}

const end = Buffer.alloc(1024)
const bytesMax = 1024 * 1024

function read(name: string, archive: Uint8Array, chunkBytes = archive.length) {
  const reader = new TarReader(name, bytesMax)
  for (let at = 0; at < archive.length; at += chunkBytes) reader.add(archive.subarray(at, at + chunkBytes))
  return reader.end()
}

function pax(text: string): string {
  let length = text.length + 3
  while (`${length} ${text}\n`.length !== length) length = `${length} ${text}\n`.length
  return `${length} ${text}\n`
}

describe('archives in the console', () => {
  let folder = ''
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'pilothouse-tar-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  describe('an archive that is refused', () => {
    const refused: [string, Uint8Array, RegExp][] = [
      ['nothing', Buffer.alloc(0), /sent nothing/],
      ['only an end', end, /is empty/],
      ['another text', Buffer.alloc(512, 'Error: no such pod '), /is no archive|a number that is none/],
      ['a wrong sum', Buffer.concat([entry({ over: { 148: '000001\0 ' } }), end]), /is no archive/],
      ['half a header', entry().subarray(0, 100), /ends too early/],
      ['content that breaks off', entry({ content: 'x'.repeat(600) }).subarray(0, 600), /ends too early/],
      ['no end', entry({ content: 'x' }), /ends too early/],
      ['a size beyond the archive', Buffer.concat([entry({ size: 5000 }), end]), /ends too early/],
      [
        'a size below the content',
        Buffer.concat([entry({ content: 'x'.repeat(600), size: 10 }), end]),
        /is no archive|a number that is none/,
      ],
      [
        'a size in base 256',
        Buffer.concat([entry({ over: { 124: '\x80\0\0\0\0\0\0\0\0\0\x02\0' } }), end]),
        /too large/,
      ],
      ['a negative size', Buffer.concat([entry({ over: { 124: '-0000000012\0' } }), end]), /a number that is none/],
      ['another name', Buffer.concat([entry({ name: 'b' }), end]), /is not of a: "b"/],
      ['an absolute name', Buffer.concat([entry({ name: '/a' }), end]), /is not of a/],
      [
        'a name that leads out',
        Buffer.concat([entry({ name: 'a/', type: '5' }), entry({ name: 'a/../../b' }), end]),
        /is not of a/,
      ],
      ['a file within the file', Buffer.concat([entry({ name: 'a/b' }), end]), /is not of a/],
      [
        'a prefix that leads out',
        Buffer.concat([entry({ over: { 345: '../up' } }), end]),
        /is not of a: "\.\.\/up\/a"/,
      ],
      [
        'a long name that leads out',
        Buffer.concat([entry({ name: '././@LongLink', type: 'L', content: '../b\0' }), entry(), end]),
        /is not of a: "\.\.\/b"/,
      ],
      [
        'a path of pax that leads out',
        Buffer.concat([entry({ type: 'x', content: pax('path=../b') }), entry(), end]),
        /is not of a/,
      ],
      ['a size of pax', Buffer.concat([entry({ type: 'x', content: pax('size=1') }), entry(), end]), /too large/],
      [
        'broken records of pax',
        Buffer.concat([entry({ type: 'x', content: '99 path=a\n' }), entry(), end]),
        /is broken/,
      ],
      [
        'records of pax without a length',
        Buffer.concat([entry({ type: 'x', content: '0 path=a\n' }), entry(), end]),
        /is broken/,
      ],
      ['a long name without a file', Buffer.concat([entry({ type: 'L', content: 'a\0' }), end]), /ends too early/],
      ['a long name without an end', entry({ type: 'L', size: 100_000 }), /too long/],
      ['a symbolic link', Buffer.concat([entry({ type: '2', over: { 157: '/etc/shadow' } }), end]), /is a link/],
      ['a hard link', Buffer.concat([entry({ type: '1', over: { 157: 'b' } }), end]), /is a link/],
      ['a device', Buffer.concat([entry({ type: '3' }), end]), /is a link or a device/],
      [
        'a link with content',
        Buffer.concat([entry({ name: 'a/', type: '5' }), entry({ name: 'a/l', type: '2', content: 'x' }), end]),
        /has a size/,
      ],
      ['global records', Buffer.concat([entry({ type: 'g' }), end]), /unknown type/],
      [
        'an unknown type',
        Buffer.concat([entry({ name: 'a/', type: '5' }), entry({ name: 'a/b', type: 'Z' }), end]),
        /unknown type, "Z"/,
      ],
      ['a second file', Buffer.concat([entry(), entry(), end]), /more than the file/],
      ['entries behind its end', Buffer.concat([entry(), end, entry()]), /goes on behind its end/],
    ]
    for (const [what, archive, message] of refused)
      it(what, () => {
        for (const chunkBytes of [archive.length || 1, 7])
          assert.throws(
            () => read('a', archive, chunkBytes),
            (error: Error) => {
              assert.ok(error instanceof BadArchive)
              assert.match(error.message, message)
              return true
            },
          )
      })
  })

  it('an archive beyond the maximum is refused as soon as a header promises it, or its bytes exceed it', () => {
    assert.throws(() => new TarReader('a', bytesMax).add(entry({ size: bytesMax })), TooLargeArchive)
    const many = new TarReader('a', bytesMax)
    const add = (): void => {
      for (let bytes = 0; bytes <= bytesMax; bytes += end.length) many.add(end)
    }
    assert.throws(add, TooLargeArchive)
  })

  it('a file that is to be sent is what the tar program unpacks', () => {
    for (const [name, size] of [
      ['plain.txt', 0],
      ['block', 512],
      ['é'.repeat(50), 70_001],
      ['-rf', 3],
    ] as const) {
      const content = Buffer.alloc(size, 'abc')
      const input = Buffer.concat([tarHeader(name, size, 1_700_000_000_000), content, tarEnd(size)])
      assert.equal(input.length % 512, 0)
      execFileSync('tar', ['xmf', '-', '-C', folder], { input })
      assert.deepEqual(readFileSync(join(folder, name)), content)
    }
  })

  it('a name that a header can not hold is refused', () => {
    for (const name of ['', '.', '..', 'a/b', 'a\0b', 'é'.repeat(51)])
      assert.throws(() => tarHeader(name, 1, 0), BadArchive, name)
  })

  it('what the tar program packs is read, in each of its formats: a file, and a folder without its links', () => {
    const long = 'long-'.repeat(30)
    const root = join(folder, 'root')
    mkdirSync(join(root, long), { recursive: true })
    writeFileSync(join(root, 'one'), 'first '.repeat(200))
    writeFileSync(join(root, long, `${long}.txt`), 'second')
    symlinkSync('/etc/passwd', join(root, 'link'))
    symlinkSync(`../${long}/${long}`, join(root, long, `${long}-link`))
    for (const format of ['gnu', 'pax', 'ustar', 'v7']) {
      const pack = (from: string, name: string, ...excluded: string[]): Buffer =>
        execFileSync('tar', [`--format=${format}`, ...excluded, '-cf', '-', '-C', from, name])
      const archive = pack(root, 'one')
      for (const chunkBytes of [archive.length, 100]) {
        const { file, leftOut } = read('one', archive, chunkBytes)
        assert.ok(file)
        assert.equal(archive.subarray(file.start, file.end).toString(), 'first '.repeat(200))
        assert.equal(leftOut, 0)
      }
      const isShort = format === 'v7' || format === 'ustar'
      const whole = pack(folder, 'root', ...(isShort ? [`--exclude=${long}`] : []))
      const { file, kept, leftOut } = read('root', whole, 1000)
      assert.equal(file, undefined)
      assert.equal(leftOut, isShort ? 1 : 2)
      const saved = Buffer.concat([...kept.map(({ start, end: until }) => whole.subarray(start, until)), tarEnd(0)])
      const names = execFileSync('tar', ['tf', '-'], { input: saved, encoding: 'utf8' }).trim().split('\n').toSorted()
      const expected = ['root/', 'root/one', ...(isShort ? [] : [`root/${long}/`, `root/${long}/${long}.txt`])]
      assert.deepEqual(names, expected.toSorted(), format)
    }
  })

  it('a path is a folder and a name in it', () => {
    const cases: [string, string | undefined, string?][] = [
      ['/etc/hosts', '/etc', 'hosts'],
      ['/etc/', '/', 'etc'],
      ['app.log', '.', 'app.log'],
      ['var//log//', 'var', 'log'],
      ['/-x', '/', '-x'],
      ['/', undefined],
      ['', undefined],
      ['/etc/..', undefined],
      ['.', undefined],
      ['a\0b', undefined],
    ]
    for (const [path, folderOf, name] of cases)
      assert.deepEqual(containerPath(path), folderOf === undefined ? undefined : { folder: folderOf, name }, path)
  })
})
