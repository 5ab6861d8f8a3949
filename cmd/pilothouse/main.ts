#!/usr/bin/env node
// pilothouse: a whole control plane in one process, and what belongs to it.
import { useCompileCache } from '../compilecache.ts'
import { runWithSettings } from '../engine.ts'

runWithSettings()
useCompileCache()
await import('./program.ts')
