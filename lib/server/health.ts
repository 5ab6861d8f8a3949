import type { Clock, Logger } from '../base/index.ts'
import { quote } from '../object/index.ts'
import type { ServerCall } from './call.ts'
import type { OwnReport, Siblings } from './contract.ts'
import { sendText } from './failure.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { ServerMetrics } from './metrics.ts'
import type { ServerOptions } from './options.ts'
import type { NonResourceRoute } from './routes.ts'

export type HealthPage = 'healthz' | 'livez' | 'readyz'

/** It throws or rejects when unhealthy. The page of one check shows the error's message, those of all checks don't. */
export interface HealthCheck {
  readonly name: string
  /** Pages that include it; all three by default. */
  readonly pages?: readonly HealthPage[]
  /** It may fail for a while after the start: /livez ignores it during the grace period. */
  readonly ofStart?: boolean
  /** Excluding the check of this name excludes this one, too. */
  readonly excludedWith?: string
  check(signal: AbortSignal): void | Promise<void>
}

/** Runs once the server listens. Until it is done, the check `poststarthook/<name>` fails. */
export interface PostStartHook {
  readonly name: string
  run(signal: AbortSignal): void | Promise<void>
}

const pages: readonly HealthPage[] = ['healthz', 'livez', 'readyz']
const passing = (): void => {}

/** Runs the hooks; `checks` report which are done. */
export interface HookRunner {
  readonly checks: readonly HealthCheck[]
  /** Resolves when all are done; rejects with the first failure. */
  run(signal: AbortSignal): Promise<void>
}

export function createHookRunner(hooks: readonly PostStartHook[]): HookRunner {
  const done = new Set<PostStartHook>()
  return {
    checks: hooks.map((hook) => ({
      name: `poststarthook/${hook.name}`,
      ofStart: true,
      check() {
        if (!done.has(hook)) throw new Error('not finished')
      },
    })),
    async run(signal) {
      await Promise.all(
        hooks.map(async (hook) => {
          await hook.run(signal)
          done.add(hook)
        }),
      )
    },
  }
}

interface HealthParts {
  readonly log: Logger
  readonly clock: Clock
  readonly lifecycle: Lifecycle
  readonly metrics: ServerMetrics
  readonly hooks: HookRunner
  readonly checks: readonly HealthCheck[]
  readonly siblings?: Siblings | undefined
  readonly options: ServerOptions
}

/** The check that asks the other processes of the server. */
const siblingsCheck = 'processes'

/** /healthz, /livez, /readyz and a page for each of their checks. */
export function healthRoutes(parts: HealthParts): NonResourceRoute[] {
  const { siblings } = parts
  return pages.flatMap((page) => {
    const checks = checksOf(page, parts)
    if (siblings) checks.push({ name: siblingsCheck, check: (signal) => siblings.check(page, signal) })
    const all: NonResourceRoute = {
      pattern: `/${page}`,
      methods: 'any',
      handle: (call) => answerPage(call, page, checks, parts),
    }
    const single = checks.map(
      (check): NonResourceRoute => ({
        pattern: `/${page}/${check.name}`,
        methods: 'any',
        handle: (call) => answerSingle(call, page, check, parts),
      }),
    )
    return [all, ...single]
  })
}

/** Runs the checks of a page, without those of siblings. */
export function ownFailures(parts: HealthParts): OwnReport['failing'] {
  return async (page, signal) => {
    const checks = checksOf(page, parts)
    const failures = await Promise.all(checks.map((check) => failureOf(check, signal)))
    return checks.filter((_, index) => failures[index] !== undefined).map(({ name }) => name)
  }
}

function checksOf(page: HealthPage, { lifecycle, hooks, checks, options, clock }: HealthParts): HealthCheck[] {
  const all: HealthCheck[] = [
    { name: 'ping', check: passing },
    ...checks.filter((check) => check.pages === undefined || check.pages.includes(page)),
    ...hooks.checks,
  ].map((check) => (page === 'livez' && check.ofStart ? afterGrace(check, lifecycle, options, clock) : check))
  if (page === 'readyz') {
    all.push({
      name: 'shutdown',
      check() {
        if (lifecycle.stopping) throw new Error('process is shutting down')
      },
    })
  }
  return all
}

/** During the grace period after the start, an unfinished hook is not unhealthy. */
function afterGrace(check: HealthCheck, lifecycle: Lifecycle, options: ServerOptions, clock: Clock): HealthCheck {
  return {
    name: check.name,
    check(signal) {
      if (clock.monotonicMs() - lifecycle.startedAtMs < options.livezGracePeriodMs) return
      return check.check(signal)
    },
  }
}

async function failureOf(check: HealthCheck, signal: AbortSignal): Promise<Error | undefined> {
  try {
    await check.check(signal)
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function answerPage(
  call: ServerCall,
  page: HealthPage,
  checks: readonly HealthCheck[],
  { log, metrics }: HealthParts,
): Promise<void> {
  const excluded = new Set(call.query.getAll('exclude').flatMap((names) => names.split(',')))
  const isExcluded = ({ name, excludedWith = name }: HealthCheck): boolean =>
    excluded.has(name) || excluded.has(excludedWith)
  const asked = checks.filter((check) => !isExcluded(check))
  const failures = new Map<HealthCheck, Error>()
  await Promise.all(
    asked.map(async (check) => {
      const failure = await failureOf(check, call.signal)
      metrics.checked(check.name, page, failure === undefined)
      if (failure !== undefined) failures.set(check, failure)
    }),
  )
  let text = ''
  for (const check of checks) {
    if (excluded.has(check.name)) text += `[+]${check.name} excluded: ok\n`
    else if (isExcluded(check)) text += `[+]${check.name} excluded with ${check.excludedWith}: ok\n`
    else text += failures.has(check) ? `[-]${check.name} failed: reason withheld\n` : `[+]${check.name} ok\n`
  }
  for (const { name } of checks) excluded.delete(name)
  if (excluded.size > 0) {
    const names = [...excluded].sort().map(quote).join(',')
    text += `warn: some health checks cannot be excluded: no matches for ${names}\n`
  }
  if (failures.size > 0) {
    const failed = [...failures].map(([check, error]) => ({ name: check.name, error: error.message }))
    log.verbose(2, `${page} check failed`, { failed })
    return sendText(call, 500, `${text}${page} check failed\n`)
  }
  sendText(call, 200, call.query.has('verbose') ? `${text}${page} check passed\n` : 'ok')
}

async function answerSingle(
  call: ServerCall,
  page: HealthPage,
  check: HealthCheck,
  { metrics }: HealthParts,
): Promise<void> {
  const failure = await failureOf(check, call.signal)
  metrics.checked(check.name, page, failure === undefined)
  if (failure === undefined) return sendText(call, 200, 'ok')
  sendText(call, 500, `internal server error: ${failure.message}\n`)
}
