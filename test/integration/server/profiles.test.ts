import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import { Profile } from 'pprof-format'
import { systemClock } from '../../../lib/base/index.ts'
import { createProfiler, type Profiler } from '../../../lib/observe/index.ts'
import type { Server, ServerOptions } from '../../../lib/server/index.ts'
import { get1, run } from './support.ts'

describe('/debug/pprof', () => {
  let server: Server | undefined
  let profiler: Profiler
  beforeEach(() => (profiler = createProfiler(systemClock)))
  afterEach(async () => {
    await server?.close()
    await profiler.close()
  })
  async function listen(options: Partial<ServerOptions> = {}): Promise<number> {
    const running = await run(undefined, options, { profiler })
    server = running.server
    return running.port
  }
  async function fetchProfile(port: number, query: string): Promise<{ profile: Profile; filename: string }> {
    const { status, headers, bytes } = await get1(port, `/debug/pprof/${query}`)
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/octet-stream')
    return { profile: Profile.decode(gunzipSync(bytes)), filename: String(headers['content-disposition']) }
  }

  it('answers CPU profiles as pprof has them, whose samples name functions of this process', async () => {
    const port = await listen()
    const work = setInterval(burnInHere, 5)
    try {
      const { profile, filename } = await fetchProfile(port, 'profile?seconds=0.5')
      assert.equal(filename, 'attachment; filename="profile"')
      assert.deepEqual(typesOf(profile), ['samples/count', 'cpu/nanoseconds'])
      assert.ok(Number(profile.durationNanos) >= 0.4e9, `${profile.durationNanos}`)
      assert.ok(samplesIn(profile, 'burnInHere').length > 0)
      assert.deepEqual(samplesIn(profile, '(idle)'), [])
      const spent = profile.sample.reduce((sum, { value }) => sum + Number(value[1]), 0)
      assert.ok(spent > 0 && spent <= Number(profile.durationNanos) * 1.01, `${spent} of ${profile.durationNanos}`)
    } finally {
      clearInterval(work)
    }
  })

  it("answers the same for Chrome's developer tools when asked for them", async () => {
    const port = await listen()
    const answer = await get1(port, '/debug/pprof/profile?seconds=0.1&format=cpuprofile')
    assert.match(String(answer.headers['content-disposition']), /\.cpuprofile"$/)
    assert.ok((JSON.parse(answer.body) as { nodes: unknown[] }).nodes.length > 0)
    assert.ok((await get1(port, '/debug/pprof/heap?format=heapsnapshot')).body.startsWith('{"snapshot"'))
  })

  it('takes one CPU profile at a time', async () => {
    const port = await listen()
    const running = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const first = profiler.cpu(() => {
      running.resolve()
      return end.promise
    })
    await running.promise
    const refused = await get1(port, '/debug/pprof/profile?seconds=0.1')
    assert.equal(refused.status, 500)
    assert.equal(refused.headers['x-go-pprof'], '1')
    assert.equal(refused.body, 'Could not enable CPU profiling: cpu profiling already in use\n')
    end.resolve()
    await first
    assert.equal((await get1(port, '/debug/pprof/profile?seconds=0.1')).status, 200)
  })

  it('answers heap profiles of what is in use, and of what is added', async () => {
    const port = await listen()
    await fetchProfile(port, 'heap')
    const before = keepInHere()
    const all = (await fetchProfile(port, 'heap')).profile
    assert.deepEqual(typesOf(all), ['inuse_space/bytes'])
    assert.ok(samplesIn(all, 'keepInHere').reduce((sum, [bytes = 0]) => sum + bytes, 0) > 4e6)

    const added = (await fetchProfile(port, 'heap?seconds=0.1')).profile
    const addedBytes = samplesIn(added, 'keepInHere').reduce((sum, [bytes = 0]) => sum + bytes, 0)
    assert.ok(Math.abs(addedBytes) < 4e6, `${addedBytes} bytes were there before`)
    assert.ok(before.length > 0)
  })

  for (const query of ['profile?seconds=x', 'profile?seconds=301', 'heap?seconds=0', 'profile?format=png'])
    it(`refuses ${query}`, async () => {
      assert.equal((await get1(await listen(), `/debug/pprof/${query}`)).status, 400)
    })

  it('has an index and the command line, and no other profiles', async () => {
    const port = await listen()
    const redirect = await get1(port, '/debug/pprof')
    assert.deepEqual([redirect.status, redirect.headers['location']], [301, '/debug/pprof/'])
    const page = await get1(port, '/debug/pprof/')
    assert.match(String(page.headers['content-type']), /^text\/html/)
    for (const name of ['cmdline', 'heap', 'profile']) assert.ok(page.body.includes(`href="${name}"`), name)
    const line = (await get1(port, '/debug/pprof/cmdline')).body
    assert.deepEqual(line.split('\0').slice(0, 2), [process.execPath, process.argv[1]])
    const unknown = await get1(port, '/debug/pprof/goroutine')
    assert.deepEqual([unknown.status, unknown.body], [404, 'Unknown profile\n'])
  })

  it('exists under --profiling alone', async () => {
    assert.equal((await get1(await listen({ profiling: false }), '/debug/pprof/heap')).status, 404)
  })
})

function burnInHere(): number {
  const end = performance.now() + 4
  let turns = 0
  while (performance.now() < end) turns++
  return turns
}

function keepInHere(): unknown[] {
  return Array.from({ length: 200_000 }, (_none, at) => ({ at, name: `object ${at}`, list: [at, at + 1] }))
}

function typesOf(profile: Profile): string[] {
  return profile.sampleType.map(({ type, unit }) => `${text(profile, type)}/${text(profile, unit)}`)
}

function text(profile: Profile, at: number | bigint): string {
  return profile.stringTable.strings[Number(at)] ?? ''
}

/** The values of every sample with a function of that name on its stack. */
function samplesIn(profile: Profile, name: string): number[][] {
  const functions = new Map(profile.function.map((one) => [Number(one.id), text(profile, one.name)]))
  const names = new Map(
    profile.location.map(({ id, line }) => [Number(id), functions.get(Number(line[0]?.functionId))]),
  )
  return profile.sample
    .filter(({ locationId }) => locationId.some((id) => names.get(Number(id)) === name))
    .map(({ value }) => value.map((number) => Number(BigInt.asIntN(64, BigInt(number)))))
}
