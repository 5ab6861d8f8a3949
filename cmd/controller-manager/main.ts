#!/usr/bin/env node
// pilothouse-controller-manager: the controllers, with the flags of the stock kube-controller-manager.
import { useCompileCache } from '../compilecache.ts'
import { runWithSettings } from '../engine.ts'
import { requireNode } from '../nodeversion.ts'
import { reportInJson } from '../strayoutput.ts'

requireNode()
reportInJson('pilothouse-controller-manager')
// It mostly waits, and keeps its informers' objects.
runWithSettings({ youngMiB: 1 })
useCompileCache()
const { run } = await import('./program.ts')
await run()
