#!/usr/bin/env node
// pilothouse: a whole control plane in one process, and its tools.
import { useCompileCache } from '../compilecache.ts'
import { runWithSettings } from '../engine.ts'
import { requireNode } from '../nodeversion.ts'
import { reportInJson } from '../strayoutput.ts'

requireNode()
reportInJson('pilothouse')
runWithSettings()
useCompileCache()
const { run } = await import('./program.ts')
await run()
