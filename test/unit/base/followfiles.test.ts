import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createFakeClock,
  FileError,
  type FollowedFiles,
  type FollowFilesOptions,
  followFiles,
  type Logger,
  silentLogger,
} from '../../../lib/base/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'

interface Line {
  readonly message: string
  readonly reason: unknown
}

const pollMs = 5000
const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`

describe('followed files', () => {
  let folder: string
  const opened: FollowedFiles<unknown>[] = []
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pilothouse-follow-'))
  })
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close()
    rmSync(folder, { recursive: true })
  })

  const at = (name: string): string => join(folder, name)

  /** A follower of `conf` whose value is the text; a text with "bad" is refused. */
  async function follow(more: Partial<FollowFilesOptions<string>> = {}) {
    const clock = createFakeClock(Date.now() + 3_600_000)
    const errors: Line[] = []
    const log: Logger = {
      ...silentLogger,
      error: (message, fields) => void errors.push({ message, reason: fields?.['reason'] }),
    }
    const metrics = createMetrics()
    const loaded: string[] = []
    const retired: string[] = []
    const options: FollowFilesOptions<string> = {
      what: 'test configuration',
      paths: [at('conf')],
      pollMs,
      metrics: { prefix: 'test_config_controller', stability: 'ALPHA', labels: { apiserver_id_hash: 'me' } },
      load(textOf, paths) {
        const text = paths.map(textOf).join('|')
        loaded.push(text)
        if (text.includes('bad')) throw new Error('it is bad')
        return text
      },
      retire: (value) => void retired.push(value),
      ...more,
    }
    const followed = await followFiles({ clock, log, metrics }, options)
    opened.push(followed)
    const counted = async (status: string): Promise<number> => {
      const { body } = await metrics.exposition(metrics.formatFor(undefined))
      const series = `test_config_controller_automatic_reloads_total{apiserver_id_hash="me",status="${status}"} `
      return Number(body.split(series)[1]?.split('\n')[0] ?? 0)
    }
    const hashes = async (): Promise<string[]> => {
      const { body } = await metrics.exposition(metrics.formatFor(undefined))
      return [...body.matchAll(/last_config_info\{apiserver_id_hash="me",hash="([^"]+)"\} 1/g)].map(
        ([, hash = '']) => hash,
      )
    }
    return { clock, errors, loaded, retired, followed, counted, hashes }
  }

  it('are loaded at the start, and again when their content changed; users and listeners get the new value', async () => {
    writeFileSync(at('conf'), 'one')
    const { clock, followed, loaded, retired, counted, hashes } = await follow()
    const told: string[] = []
    const listening = followed.onChange((value) => told.push(value))
    assert.equal(followed.current(), 'one')
    assert.deepEqual(await hashes(), [digestOf('one')])
    writeFileSync(at('conf'), 'two')
    clock.advance(pollMs)
    await followed.check()
    assert.equal(followed.current(), 'two')
    assert.deepEqual([told, retired, loaded], [['two'], ['one'], ['one', 'two']])
    assert.deepEqual([await counted('success'), await counted('failure')], [1, 0])
    assert.deepEqual(await hashes(), [digestOf('two')])
    await listening.close()
    writeFileSync(at('conf'), 'three')
    await followed.check()
    assert.deepEqual([followed.current(), told], ['three', ['two']])
  })

  it('files that are written again with the same content are not loaded again', async () => {
    writeFileSync(at('conf'), 'one')
    const { followed, loaded, counted } = await follow()
    writeFileSync(at('conf'), 'one')
    await followed.check()
    renameSync(at('conf'), at('other'))
    writeFileSync(at('conf'), 'one')
    await followed.check()
    assert.deepEqual([loaded, await counted('success')], [['one'], 0])
  })

  it('files that are refused are reported once, and the last good value stays', async () => {
    writeFileSync(at('conf'), 'one')
    const { followed, errors, counted, hashes, retired } = await follow()
    writeFileSync(at('conf'), 'bad')
    for (let looks = 0; looks < 5; looks++) await followed.check()
    assert.equal(followed.current(), 'one')
    assert.deepEqual(errors, [
      { message: 'test configuration: not reloaded, the last good one stays', reason: 'it is bad' },
    ])
    assert.deepEqual([await counted('failure'), await counted('success'), retired], [1, 0, []])
    assert.deepEqual(await hashes(), [digestOf('one')])
    writeFileSync(at('conf'), 'bad too')
    await followed.check()
    assert.equal(errors.length, 2, 'other bad content is news')
    writeFileSync(at('conf'), 'one')
    await followed.check()
    writeFileSync(at('conf'), 'bad too')
    await followed.check()
    assert.equal(errors.length, 3, 'so is the same after good content')
  })

  it('files that were refused are tried again later, silently, and used when they are valid by then', async () => {
    writeFileSync(at('conf'), 'one')
    let works = false
    const load: FollowFilesOptions<string>['load'] = (textOf, [path = '']) => {
      if (textOf(path) === 'two' && !works) throw new Error('what it refers to does not answer')
      return textOf(path)
    }
    const { clock, followed, errors, counted } = await follow({ load, retryMs: 60_000 })
    writeFileSync(at('conf'), 'two')
    await followed.check()
    clock.advance(60_000)
    await followed.check()
    assert.equal(followed.current(), 'one')
    works = true
    await followed.check()
    assert.equal(followed.current(), 'one', 'not before its time')
    clock.advance(60_000)
    await followed.check()
    assert.equal(followed.current(), 'two')
    assert.deepEqual([errors.length, await counted('failure'), await counted('success')], [1, 1, 1])
  })

  it('files that vanish are reported once a time; the last good value stays until they are back', async () => {
    writeFileSync(at('conf'), 'one')
    const { followed, errors } = await follow()
    for (let time = 1; time <= 2; time++) {
      renameSync(at('conf'), at('away'))
      await followed.check()
      await followed.check()
      assert.deepEqual([followed.current(), errors.length], ['one', time])
      assert.match(String(errors[0]?.reason), /conf: it can't be read \(ENOENT\)$/)
      renameSync(at('away'), at('conf'))
      await followed.check()
    }
    renameSync(at('conf'), at('away'))
    mkdirSync(at('conf'))
    await followed.check()
    assert.match(String(errors[2]?.reason), /conf: it is not a regular file$/)
    assert.equal(followed.current(), 'one')
  })

  it('are followed through links, as folders of a pod are swapped', async () => {
    for (const name of ['v1', 'v2']) {
      mkdirSync(at(name))
      writeFileSync(join(at(name), 'conf'), name)
    }
    symlinkSync(at('v1'), at('data'))
    const { followed } = await follow({ paths: [join(at('data'), 'conf')] })
    symlinkSync(at('v2'), at('data.new'))
    renameSync(at('data.new'), at('data'))
    await followed.check()
    assert.equal(followed.current(), 'v2')
  })

  it('make one value together: all of them are new, or none', async () => {
    writeFileSync(at('a'), '1')
    writeFileSync(at('b'), '1')
    const { followed, hashes } = await follow({ paths: [at('a'), at('b')] })
    writeFileSync(at('a'), '2')
    writeFileSync(at('b'), 'bad')
    await followed.check()
    assert.equal(followed.current(), '1|1')
    writeFileSync(at('b'), '2')
    await followed.check()
    assert.equal(followed.current(), '2|2')
    assert.deepEqual(await hashes(), [digestOf('2\x002\x00')])
  })

  it('files of a folder may be added and removed', async () => {
    writeFileSync(at('a'), '1')
    let paths = [at('a')]
    const { followed } = await follow({ paths: async () => paths })
    writeFileSync(at('b'), '2')
    paths = [at('a'), at('b')]
    await followed.check()
    assert.equal(followed.current(), '1|2')
    paths = [at('b')]
    await followed.check()
    assert.equal(followed.current(), '2')
    paths = []
    await followed.check()
    assert.equal(followed.current(), '')
  })

  it('are checked once at a time, however long a load takes', async () => {
    writeFileSync(at('conf'), 'one')
    let underWay = 0
    let most = 0
    let proceed: () => void = () => {}
    const load: FollowFilesOptions<string>['load'] = async (textOf, [path = '']) => {
      most = Math.max(most, ++underWay)
      if (textOf(path) !== 'one') await new Promise<void>((resolve) => (proceed = resolve))
      underWay--
      return textOf(path)
    }
    const { clock, followed } = await follow({ load })
    writeFileSync(at('conf'), 'two')
    const look = followed.check()
    while (underWay === 0) await new Promise(setImmediate)
    clock.advance(20 * pollMs)
    await new Promise(setImmediate)
    assert.equal(most, 1)
    proceed()
    await look
    assert.equal(followed.current(), 'two')
  })

  it('keep a replaced value for those that use it still, and close it after its time', async () => {
    writeFileSync(at('conf'), 'one')
    const { clock, followed, retired } = await follow({ retireAfterMs: 60_000 })
    writeFileSync(at('conf'), 'two')
    await followed.check()
    clock.advance(59_999)
    assert.deepEqual(retired, [])
    clock.advance(1)
    assert.deepEqual(retired, ['one'])
    writeFileSync(at('conf'), 'three')
    await followed.check()
    await followed.close()
    await followed.close()
    assert.deepEqual(retired, ['one', 'two', 'three'], 'each once')
  })

  it('are released by close(): nothing polls, and a load in progress is not used', async () => {
    writeFileSync(at('conf'), 'one')
    let aborted = false
    const loading = Promise.withResolvers<void>()
    const load: FollowFilesOptions<string>['load'] = async (textOf, [path = ''], signal) => {
      if (textOf(path) !== 'one')
        await new Promise<void>((resolve) => {
          loading.resolve()
          signal.addEventListener('abort', () => {
            aborted = true
            resolve()
          })
        })
      return textOf(path)
    }
    const { clock, followed, retired, errors } = await follow({ load })
    writeFileSync(at('conf'), 'two')
    void followed.check()
    await loading.promise
    await followed.close()
    assert.equal(aborted, true)
    assert.deepEqual([followed.current(), retired, errors], ['one', ['two', 'one'], []])
    writeFileSync(at('conf'), 'three')
    clock.advance(10 * pollMs)
    await followed.check()
    assert.equal(followed.current(), 'one')
  })

  it('call all listeners although one throws', async () => {
    writeFileSync(at('conf'), 'one')
    const { followed, errors } = await follow()
    const told: string[] = []
    followed.onChange(() => {
      throw new Error('not mine')
    })
    followed.onChange((value) => told.push(value))
    writeFileSync(at('conf'), 'two')
    await followed.check()
    assert.deepEqual([told, errors.length], [['two'], 1])
  })

  it("don't appear in the log: the loader words the reason, which is cut", async () => {
    writeFileSync(at('conf'), '{}')
    const parsed: string[] = []
    const { followed, errors } = await follow({
      load(textOf, [path = '']) {
        parsed.push(String(JSON.parse(textOf(path))))
        return ''
      },
      reasonOf: () => `it is no JSON${'.'.repeat(5000)}`,
    })
    writeFileSync(at('conf'), 'hunter2')
    await followed.check()
    assert.equal(String(errors[0]?.reason).length, 1000)
    assert.doesNotMatch(JSON.stringify(errors), /hunter2/)
  })

  it('files that are too large are refused, unread', async () => {
    writeFileSync(at('conf'), 'one')
    const { followed, errors } = await follow()
    writeFileSync(at('conf'), Buffer.alloc(16 * 1024 * 1024 + 1))
    await followed.check()
    assert.match(String(errors[0]?.reason), /conf: it has more than 16777216 bytes$/)
    assert.equal(followed.current(), 'one')
  })

  it('may be a device at the start, which stays as it was read', async () => {
    const { followed, errors } = await follow({ paths: ['/dev/null'] })
    await followed.check()
    assert.deepEqual([followed.current(), errors], ['', []])
  })

  it('files that are missing, invalid or too many reject the start', async () => {
    await assert.rejects(
      follow(),
      (error) => error instanceof FileError && error.code === 'ENOENT' && error.path === at('conf'),
    )
    writeFileSync(at('conf'), 'bad')
    await assert.rejects(follow(), /^Error: it is bad$/)
    await assert.rejects(follow({ paths: Array.from({ length: 1001 }, () => at('conf')) }), /at most 1000 files/)
    chmodSync(at('conf'), 0o600)
  })
})
