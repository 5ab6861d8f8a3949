#!/usr/bin/env node
// pilothouse-scheduler: the scheduler, with the flags of the stock kube-scheduler.
import { useCompileCache } from '../compilecache.ts'
import { runWithSettings } from '../engine.ts'
import { requireNode } from '../nodeversion.ts'
import { reportInJson } from '../strayoutput.ts'

requireNode()
reportInJson('pilothouse-scheduler')
// It mostly waits, and keeps its informers' objects.
runWithSettings({ youngMiB: 1 })
useCompileCache()
const { run } = await import('./program.ts')
await run()
