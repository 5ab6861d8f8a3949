#!/usr/bin/env node
// pilothouse-apiserver: the API server, with the flags of the stock kube-apiserver.
import { useCompileCache } from '../compilecache.ts'
import { runWithSettings } from '../engine.ts'
import { requireNode } from '../nodeversion.ts'
import { reportInJson } from '../strayoutput.ts'

requireNode()
reportInJson('pilothouse-apiserver')
runWithSettings()
useCompileCache()
const { run } = await import('./program.ts')
await run()
