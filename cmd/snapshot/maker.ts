// Runs within `node --build-snapshot` and builds the snapshot, or before that as a server, whose compiled code is kept: V8 takes
// such code in a snapshot only from a process without one. hack/bundle.ts makes a script of it.
import { flushCompileCache } from 'node:module'
import { dirname } from 'node:path'
import { startupSnapshot } from 'node:v8'
import { loadCompiledScript } from '../compiledscript.ts'
import { scriptModules } from '../scriptmodules.ts'
import { noteYouth } from './youngprocess.ts'

interface Runnable {
  run(): Promise<void>
}

interface ServerScript {
  readonly programs: Readonly<Record<string, () => Promise<Runnable>>>
  /** Loads what each start of a server needs. */
  preload(): Promise<unknown>
}

const [node = '', , filename = '', code = '', ...words] = process.argv

if (startupSnapshot.isBuildingSnapshot()) build()
else void serve()

function build(): void {
  const { exports, isCompiled } = loadCompiledScript(filename, code, () => scriptModules(filename, flushCompileCache))
  if (!isCompiled) throw new Error('the compiled code does not suit this process')
  const script = exports as ServerScript
  void script.preload().then(() => startupSnapshot.setDeserializeMainFunction(() => void start(script)))
}

/** The first word is the program's name, the second its file. */
async function start({ programs }: ServerScript): Promise<void> {
  const [, program = '', ...line] = process.argv
  process.argv = [node, ...line]
  // Processes that this one starts get its settings but not its snapshot.
  const at = process.execArgv.indexOf('--snapshot-blob')
  if (at >= 0) {
    const [, snapshot = ''] = process.execArgv.splice(at, 2)
    noteYouth(dirname(snapshot))
  }
  const loaded = await programs[program]?.()
  await loaded?.run()
}

async function serve(): Promise<void> {
  const script = loadCompiledScript(filename, code, ({ save }) =>
    scriptModules(filename, () => {
      save()
      process.exit(0)
    }),
  )
  process.argv = [node, ...words]
  const { run } = (await (script.exports as ServerScript).programs['pilothouse']?.()) ?? {}
  await run?.()
}
