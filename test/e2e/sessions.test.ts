import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineOnReplicas, ok, type Stage } from '../support/stages.ts'
import { parseTranscript, runTranscript, type TranscriptCase } from '../support/transcript.ts'

const folder = join(import.meta.dirname, '../golden/kubectl')
const sessions = readdirSync(folder)
  .filter((file) => file.endsWith('.txt'))
  .map((file) => ({
    name: file.replace('.txt', ''),
    cases: parseTranscript(readFileSync(join(folder, file), 'utf8')),
  }))

/** Sessions have namespaces of their own and run at once, three at a time; the cases of one follow each other. */
const atOnce = 3

defineOnReplicas('kubectl', (stage: () => Stage) => {
  const outcomes = new Map<TranscriptCase, Promise<unknown>>()

  async function runSession(session: (typeof sessions)[number]): Promise<void> {
    const { write } = stage()
    await ok(write, `create namespace ${session.name}`)
    // Pods are refused without one, and no controller makes it here.
    await ok(write, `create serviceaccount default --namespace=${session.name}`)
    for (const one of session.cases) {
      const outcome = runTranscript(one, stage(), session.name).then(
        () => undefined,
        (error: unknown) => error,
      )
      outcomes.set(one, outcome)
      await outcome
    }
  }

  before(async () => {
    const left = [...sessions]
    const lane = async (): Promise<void> => {
      for (let session = left.pop(); session; session = left.pop()) await runSession(session)
    }
    await Promise.all(Array.from({ length: atOnce }, lane))
  })

  for (const { name, cases } of sessions)
    describe(name, () => {
      for (const one of cases)
        it(one.title, async () => {
          const error = await outcomes.get(one)
          if (error !== undefined) throw error
        })
    })
})
