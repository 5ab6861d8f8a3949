#!/usr/bin/env node
// pilothouse-apiserver: the API server, with the flags of the stock kube-apiserver.
import { launch } from '../launch.ts'

await launch('pilothouse-apiserver', () => import('./program.ts'))
