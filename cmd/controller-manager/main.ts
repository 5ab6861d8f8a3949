#!/usr/bin/env node
// pilothouse-controller-manager: the controllers, with the flags of the stock kube-controller-manager.
import { launch } from '../launch.ts'

// It mostly waits, and keeps its informers' objects.
await launch('pilothouse-controller-manager', () => import('./program.ts'), { youngMiB: 4, isFrugal: true })
