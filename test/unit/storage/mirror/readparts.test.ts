import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { readParts } from '../../../../lib/storage/mirror/readparts.ts'
import { mirrorFolder } from '../../../support/mirrorkit.ts'

const texts = ['first', '', 'second', 'third and last']

for (const [where, withoutThreads] of [
  ['in threads', 0],
  ['on the event loop', 1000],
] as const)
  describe(`Parts of a file that are read ${where}`, () => {
    const folder = mirrorFolder()
    const path = join(folder.path, 'file')
    const whole = Buffer.from(texts.join(''))
    let at = 0
    const parts = texts.map((text) => {
      const part = { at, bytes: text.length, crc: crc32(text) }
      at += text.length
      return part
    })
    let file: FileHandle | undefined

    afterEach(() => file?.close())
    after(() => folder.remove())

    async function read(bytes: Uint8Array) {
      writeFileSync(path, bytes)
      file = await open(path)
      return await readParts(file, parts, { withoutThreads })
    }

    it('are those of the file, each with memory of its own', async () => {
      const found = await read(whole)
      deepEqual(
        parts.map((part) => found.get(part)?.toString()),
        texts,
      )
      for (const buffer of found.values()) {
        equal(buffer.byteOffset, 0)
        equal(buffer.buffer instanceof SharedArrayBuffer, withoutThreads === 0)
        ok(buffer.buffer.byteLength === buffer.length)
      }
    })

    it('are refused where a byte is another one', async () => {
      for (const place of [0, 7, whole.length - 1]) {
        const damaged = Buffer.from(whole)
        damaged.writeUInt8(damaged.readUInt8(place) ^ 1, place)
        await rejects(read(damaged), { name: 'RangeError', message: /damaged/ })
        await file?.close()
      }
    })

    it('are refused where the file ends before', async () => {
      await rejects(read(whole.subarray(0, -1)), { name: 'RangeError', message: /cut short/ })
    })
  })
