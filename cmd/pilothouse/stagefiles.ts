import { watch } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, type Closable, type Logger, systemClock } from '../../lib/base/index.ts'
import { reasonOf, StartError } from '../../lib/controlplane/index.ts'
import { parseStages, type Stage, type StageSource, stagesMax } from '../../lib/hollownode/index.ts'

/** Changes of files come in several parts. */
const settleMs = 100
const names = /\.(ya?ml|json)$/

/** The stages of --stages, read again when its files change; undefined for an empty path. Rejects with StartError. */
export async function stagesOf(
  path: string,
  { log, clock = systemClock }: { readonly log: Logger; readonly clock?: Clock },
  opened: Closable[],
): Promise<StageSource | undefined> {
  if (path === '') return undefined
  let stages = await readStages(path).catch((error: unknown) => {
    throw new StartError(`--stages: ${reasonOf(error)}`, { cause: error })
  })
  const changed = new Set<() => void>()
  let timer: Closable | undefined
  const reload = async (): Promise<void> => {
    timer = undefined
    try {
      stages = await readStages(path)
      log.info('stages were read again', { stages: stages.length })
      for (const each of changed) each()
    } catch (error) {
      log.warn('the stages stay as they were', { error: reasonOf(error) })
    }
  }
  const watcher = watch(path, () => {
    timer ??= clock.after(settleMs, () => void reload())
  })
  watcher.on('error', (error) => log.warn('changes of the stages are no longer seen', { error: reasonOf(error) }))
  opened.push({
    close() {
      watcher.close()
      void timer?.close()
    },
  })
  return { current: () => stages, subscribe: (each) => void changed.add(each) }
}

async function readStages(path: string): Promise<readonly Stage[]> {
  const isFolder = (await stat(path)).isDirectory()
  const files = isFolder ? (await readdir(path)).filter((name) => names.test(name)).toSorted() : [path]
  const stages: Stage[] = []
  for (const file of files.map((name) => (isFolder ? join(path, name) : name)))
    stages.push(...parseStages(await readFile(file, 'utf8'), file))
  if (stages.length > stagesMax) throw new Error(`${path}: has more than ${stagesMax} stages`)
  return stages
}
