#!/usr/bin/env node
// pilothouse: a whole control plane in one process, and what belongs to it.
import { useCompileCache } from '../compilecache.ts'

useCompileCache()
await import('./program.ts')
