#!/usr/bin/env node
// pilothouse: a whole control plane in one process, and its tools.
import { launch } from '../launch.ts'

await launch('pilothouse', () => import('./program.ts'))
