#!/usr/bin/env node
// pilothouse-controller-manager: the controllers, with the flags of the stock kube-controller-manager.
import { useCompileCache } from '../compilecache.ts'
import { runWithSettings } from '../engine.ts'
import { requireNode } from '../nodeversion.ts'

requireNode()
// It mostly waits, and keeps what it is told.
runWithSettings({ youngMiB: 1 })
useCompileCache()
await import('./program.ts')
