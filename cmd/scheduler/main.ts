#!/usr/bin/env node
// pilothouse-scheduler: the scheduler, with the flags of the stock kube-scheduler.
import { launch } from '../launch.ts'

// It mostly waits, and keeps its informers' objects.
await launch('pilothouse-scheduler', () => import('./program.ts'), { youngMiB: 1, isFrugal: true })
