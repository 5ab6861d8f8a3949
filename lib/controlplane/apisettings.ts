import { gateTable } from '../features/index.ts'
import type { ApiserverConfig } from './config.ts'

type Plain = Pick<
  ApiserverConfig,
  | 'allowPrivileged'
  | 'deleteCollectionWorkers'
  | 'emulation'
  | 'eventTtlSeconds'
  | 'garbageCollection'
  | 'minRequestTimeoutMs'
  | 'runtimeConfig'
  | 'storageMediaType'
  | 'storagePrefix'
  | 'storageVersions'
>

/**
 * The part of the configuration that determines how objects are read, validated and written: plain data that is passed
 * to threads.
 */
export interface ApiSettings extends Plain {
  readonly gates: Readonly<Record<string, boolean>>
}

export function apiSettingsOf(config: ApiserverConfig): ApiSettings {
  return {
    allowPrivileged: config.allowPrivileged,
    deleteCollectionWorkers: config.deleteCollectionWorkers,
    emulation: config.emulation,
    eventTtlSeconds: config.eventTtlSeconds,
    garbageCollection: config.garbageCollection,
    minRequestTimeoutMs: config.minRequestTimeoutMs,
    runtimeConfig: config.runtimeConfig,
    storageMediaType: config.storageMediaType,
    storagePrefix: config.storagePrefix,
    storageVersions: config.storageVersions,
    gates: Object.fromEntries(Object.keys(gateTable).map((name) => [name, config.gates.gate(name)])),
  }
}
