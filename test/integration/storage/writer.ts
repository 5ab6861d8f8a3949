// A process that writes to an embedded store until it is killed: `node writer.ts FOLDER LANES BYTES`. Prints a line of
// JSON for each write once it is answered ({key, revision}), or {error} with the code of what went wrong. Ends when every
// lane has failed twice: whoever has no space left today may have some tomorrow.
import { silentLogger, systemClock, systemRandom } from '../../../lib/base/index.ts'
import { createEmbeddedStore, StoreError } from '../../../lib/storage/index.ts'

const [directory = '', lanes = '8', bytes = '100'] = process.argv.slice(2)

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

function printError(error: unknown): void {
  print({ error: error instanceof StoreError ? error.code : String(error), message: String(error) })
}

try {
  const store = await createEmbeddedStore(
    { clock: systemClock, log: silentLogger, random: systemRandom },
    { directory },
  )
  const value = Buffer.alloc(Number(bytes), 'w')
  const from = await store.currentRevision()
  await Promise.all(
    Array.from({ length: Number(lanes) }, async (_, lane) => {
      for (let i = 0, failures = 0; failures < 2; i++) {
        const key = `/w/${from}/${lane}/${i}`
        try {
          const result = await store.create(key, value)
          print({ key, revision: result.revision })
        } catch (error) {
          printError(error)
          failures++
          // Whatever else the failure brings comes to light.
          await systemClock.sleep(50)
        }
      }
    }),
  )
  await store.close()
} catch (error) {
  printError(error)
  process.exit(1)
}
