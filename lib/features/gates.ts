import type { Metrics } from '../base/index.ts'
import { describeGate, type UnreadGate, unreadGates } from './effects.ts'
import { compareReleases, newestRelease, parseRelease, type Release } from './release.ts'
import { type GateName, type GateStep, gateTable, type Stage } from './table.ts'

/** A gate in one release. */
interface GateState {
  readonly stage: Stage
  readonly on: boolean
  readonly locked: boolean
}

export interface FeatureGates {
  /** Gates of later releases are off, except those that were split off a gate of the release. */
  enabled(name: GateName): boolean
  /** As `enabled`, for a name that is data; unknown names are off. */
  gate(name: string): boolean
  /** For the log: gates that were set although they are deprecated or locked. */
  readonly warnings: readonly string[]
  /** Gauge kubernetes_feature_enabled. */
  record(metrics: Metrics): void
}

interface FeatureGatesOptions {
  /**
   * Gate → value, from `--feature-gates=Gate=true,kube:Other=false`. Values are `true` and `false` as flags spell them.
   */
  readonly set?: ReadonlyMap<string, string>
  /** Default: the newest. */
  readonly release?: Release
}

/** Gates that were split off older ones: in earlier releases the older one decides for both. */
const splitFrom: ReadonlyMap<string, string> = new Map([['DRADeviceTaintRules', 'DRADeviceTaints']])

/** Throws an Error with one line for an unknown gate, an invalid value, or a change of a locked gate. */
export function createFeatureGates(options: FeatureGatesOptions = {}): FeatureGates {
  const { release = newestRelease } = options
  const states = statesAt(release)
  const chosen = readChosen(options.set ?? new Map(), states, release)
  const values = new Map<string, boolean>()
  for (const [name, state] of states) values.set(name, chosen.get(name) ?? defaultOf(name, state, chosen))
  const isOn = (name: string): boolean => values.get(values.has(name) ? name : (splitFrom.get(name) ?? name)) === true
  return Object.freeze({
    enabled: (name: GateName) => isOn(name),
    gate: isOn,
    warnings: warningsOf(chosen, states),
    record(metrics: Metrics) {
      const gauge = metrics.gauge({
        name: 'kubernetes_feature_enabled',
        help: 'Whether a feature gate is on (1) or off (0), by name and stage.',
        labels: ['name', 'stage'],
        stability: 'BETA',
      })
      for (const [name, { stage }] of states)
        gauge.set([name, stage === 'GA' ? '' : stage.toUpperCase()], values.get(name) && !isMissing(name) ? 1 : 0)
    },
  })
}

/** Every gate of the release, at the last step of its history up to the release. */
function statesAt(release: Release): ReadonlyMap<string, GateState> {
  const states = new Map<string, GateState>()
  for (const [name, history] of Object.entries<readonly GateStep[]>(gateTable)) {
    const reached = history.map(parseStep).filter(({ since }) => compareReleases(since, release) <= 0)
    const state = reached.at(-1)
    if (state) states.set(name, state)
  }
  return states
}

function isMissing(name: string): boolean {
  return unreadGates.get(name) === 'missing'
}

function parseStep(step: GateStep): GateState & { since: Release } {
  const [since = '', stage, value, locked] = step.split(' ')
  // GateStep's type requires a stage as the second word.
  return { since: parseRelease(since), stage: stage as Stage, on: value === 'on', locked: locked === 'locked' }
}

function readChosen(
  set: ReadonlyMap<string, string>,
  states: ReadonlyMap<string, GateState>,
  release: Release,
): Map<string, boolean> {
  const chosen = new Map<string, boolean>()
  for (const [written, text] of set) {
    const name = gateOf(written)
    const state = states.get(name)
    if (state === undefined) throw new Error(notThere(name, text, release))
    const value = readValue(name, text)
    if (state.locked && value !== state.on)
      throw new Error(`cannot set feature gate ${name} to ${value}, feature is locked to ${state.on}`)
    // Installers may name gates that are on anyway.
    if (value && !state.on && isMissing(name))
      throw new Error(`cannot set feature gate ${name} to true, the feature is not available here`)
    chosen.set(name, value)
  }
  return chosen
}

function notThere(name: string, text: string, { major, minor }: Release): string {
  if (!Object.hasOwn(gateTable, name)) return `unrecognized feature gate: ${name}`
  const value = readValue(name, text)
  return `cannot set feature gate ${name} to ${value}, feature is PreAlpha at emulated version ${major}.${minor}`
}

/** A gate may have its component as prefix, `kube:Gate`; there is only that one. */
function gateOf(written: string): string {
  const at = written.indexOf(':')
  const component = at < 0 ? 'kube' : written.slice(0, at)
  if (component !== 'kube') throw new Error(`component not registered: ${component}`)
  return written.slice(at + 1)
}

function readValue(name: string, text: string): boolean {
  if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true
  if (/^(0|f|F|false|FALSE|False)$/.test(text)) return false
  throw new Error(`invalid value of ${name}: "${text}" is neither true nor false`)
}

/** AllAlpha and AllBeta decide for the gates of their stage that are not set by name. */
function defaultOf(name: string, state: GateState, chosen: ReadonlyMap<string, boolean>): boolean {
  if (name === 'AllAlpha' || name === 'AllBeta' || state.locked) return state.on
  if (state.stage === 'alpha') return chosen.get('AllAlpha') ?? state.on
  if (state.stage === 'beta') return chosen.get('AllBeta') ?? state.on
  return state.on
}

function warningsOf(chosen: ReadonlyMap<string, boolean>, states: ReadonlyMap<string, GateState>): string[] {
  return [...chosen].flatMap(([name, value]) => {
    const stage = states.get(name)?.stage
    const unread = unreadGates.get(name)
    const withoutEffect = unread && whyWithoutEffect[unread](name, value)
    const warnings =
      withoutEffect === undefined ? [] : [`feature gate ${name}=${value} has no effect here: ${withoutEffect}`]
    if (stage !== 'GA' && stage !== 'deprecated') return warnings
    const what = stage === 'GA' ? 'is generally available' : 'is deprecated'
    return [`feature gate ${name}=${value} ${what} and will be removed in a later release`, ...warnings]
  })
}

/** Why setting a gate has no effect; undefined: it has the desired effect, or the gate belongs to other components. */
const whyWithoutEffect: Readonly<Record<UnreadGate, (name: string, value: boolean) => string | undefined>> = {
  always: (_, value) => (value ? undefined : 'the feature is always on'),
  inside: (name) => (name === 'AllAlpha' || name === 'AllBeta' ? undefined : 'it changes nothing that clients see'),
  elsewhere: () => 'it belongs to another component',
  missing: (name, value) => (value ? describeGate(name) : undefined),
}
