import { createHash } from 'node:crypto'
import type { Clock, Closable, Logger, Metrics } from '../../base/index.ts'

interface ReloadDependencies {
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  /** The file's text. */
  read(): Promise<string>
  /** Takes a new text into use; rejects, and leaves all as it was, when it can't. */
  apply(text: string): Promise<void>
  /** The id of this server, for metrics. */
  readonly serverId: string
}

/** How often the file is looked at. */
export const reloadPeriodMs = 5000
/** A text that was refused is tried again, since it may lie with what it refers to. */
const retryMs = 60_000

/** Follows the authorization configuration's file, whose text `initial` is in use. */
export function followConfiguration(
  dependencies: ReloadDependencies,
  initial: string,
): Closable & { check(): Promise<void> } {
  const { clock, log, metrics, read, apply } = dependencies
  const id = digest(dependencies.serverId)
  const reloads = metrics.counter({
    name: 'apiserver_authorization_config_controller_automatic_reloads_total',
    help: 'Times that the authorization configuration was loaded anew.',
    labels: ['apiserver_id_hash', 'status'],
    stability: 'BETA',
  })
  const last = metrics.gauge({
    name: 'apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds',
    help: 'When the authorization configuration was last loaded anew, in seconds since the epoch.',
    labels: ['apiserver_id_hash', 'status'],
    stability: 'BETA',
  })
  const info = metrics.gauge({
    name: 'apiserver_authorization_config_controller_last_config_info',
    help: 'The authorization configuration in use, by its digest.',
    labels: ['apiserver_id_hash', 'hash'],
  })
  let current = initial
  let refused: { text: string; atMs: number } | undefined
  let underWay = false
  info.collect(() => [{ labels: [id, digest(current)], value: 1 }])

  function note(status: 'success' | 'failure'): void {
    reloads.add([id, status])
    last.set([id, status], clock.now() / 1000)
  }

  async function check(): Promise<void> {
    if (underWay) return
    underWay = true
    try {
      const text = await read()
      const nowMs = clock.monotonicMs()
      if (text === current || (text === refused?.text && nowMs - refused.atMs < retryMs)) return
      refused = { text, atMs: nowMs }
      await apply(text)
      current = text
      refused = undefined
      note('success')
      log.info('the authorization configuration is loaded anew')
    } catch (error) {
      note('failure')
      log.error('the authorization configuration is not loaded anew, the old one stays', { error })
    } finally {
      underWay = false
    }
  }

  const timer = clock.every(reloadPeriodMs, () => void check())
  return { check, close: () => timer.close() }
}

function digest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}
