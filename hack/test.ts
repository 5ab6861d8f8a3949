// `npm test`: everything that decides whether a change can land: types, lint, format, layers, tidiness, generated
// files, and every suite. Names of steps as arguments run only those: `npm test -- unit e2e`. With --coverage, c8
// reports on the suites; with --times, each suite on the time of its files.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleClone } from './bundle.ts'
import { findNodePrograms } from './node/programs.ts'
import { nodeObstacle } from './node/requirements.ts'
import { findEtcd, findKubectl } from './programs.ts'

interface Step {
  name: string
  /** Program in node_modules/.bin and its arguments. */
  command: readonly string[]
  /** A suite counts tests; a check is a single test. */
  suite?: boolean
  /** The step begins when it has. */
  after?: Promise<unknown> | undefined
}

/** As the reporter of the suites writes them. */
interface Counts {
  passed: number
  failed: number
  skipped: number
  cpuSeconds: number
  /** A line for each test that failed, was repeated or skipped. */
  notes: string[]
  failures: Failure[]
}

interface Failure {
  title: string
  message: string
}

interface Outcome extends Omit<Counts, 'cpuSeconds'> {
  step: Step
  ok: boolean
  seconds: number
  /** Undefined of checks, and of suites that were ended. */
  cpuSeconds?: number
}

const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'pilothouse-test-'))
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
/** Time limit of a step on slow and busy machines: the longest takes twelve minutes beside the others on two cores. */
const suiteMsMax = 20 * 60_000
/** Time limit of one test and its hooks (mocha's own timeouts are shorter, but can't end what blocks the process). */
const testMsMax = 4 * 60_000
/** How long a process may live after the last test; before that its reporter logs what keeps it alive. */
const lingerMsMax = 30_000
/** Failures that the last lines name, and the characters of each line. */
const namedFailuresMax = 50
const failureLineMax = 300
const coverage = process.argv.includes('--coverage')
const times = process.argv.includes('--times')

const checks: readonly Step[] = [
  // One checker of types does what several would do twice; lint runs beside it.
  { name: 'types', command: ['tsc', '--checkers', '1'] },
  { name: 'types:console', command: ['tsc', '-p', 'console'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--quiet'] },
  { name: 'format', command: ['biome', 'check', '--reporter=summary', '.'] },
  { name: 'layers', command: ['node', 'hack/layers.ts'] },
  { name: 'tidy', command: ['node', 'hack/tidy.ts'] },
  { name: 'generated', command: ['node', 'hack/generate-types.ts', '--check'] },
  { name: 'generated:flags', command: ['node', 'hack/generate-flags.ts', '--check'] },
  { name: 'generated:gates', command: ['node', 'hack/generate-featuregates.ts', '--check'] },
]

const e2e = (...names: string[]): string[] => names.map((name) => `test/e2e/${name}.test.ts`)

/**
 * Suites of real servers under real time in parts of similar length, by their names; the remaining files are the
 * suite's rest.
 */
const parts: Readonly<Record<string, readonly string[]>> = {
  // Whole clusters, whose parts fail; whole installations, and the commands of documents. Mostly they wait.
  'e2e:faults': e2e('chaos', 'datakeys', 'ha'),
  // Nodes and control planes that end and come back.
  'node:outages': ['test/node/outages.test.ts'],
  'e2e:installations': e2e('deploy', 'newuser', 'package', 'pki'),
  'node:kubeadm': ['test/node/kubeadm.test.ts'],
  'integration:endpoints': ['test/integration/{crd,endpoints}/**/*.test.ts'],
  'integration:stores': ['test/integration/{storage,store}/**/*.test.ts'],
  // Servers as processes. Snapshots of the heap are taken here and first, where it is small.
  'integration:processes': [
    'test/integration/server/profiles.test.ts',
    'test/integration/*.test.ts',
    'test/integration/cmd/**/*.test.ts',
  ],
}

/** The programs of a node are built beside the checks, once on a machine. */
const nodePrograms = wanted.length === 0 || wanted.includes('node') ? prepareNode() : undefined

/** Nodes mostly wait, with a quarter of a processor: these run one after the other, beside three other suites. */
const nodeSuites: readonly Step[] = [part('node:kubeadm'), rest('node'), part('node:outages')].map((step) => ({
  ...step,
  after: nodePrograms,
}))

/** In the order of their start, the longest first, so that none runs alone at the end. */
const suites: readonly Step[] = [
  part('e2e:faults'),
  part('integration:endpoints'),
  part('integration:processes'),
  rest('e2e'),
  rest('integration'),
  part('e2e:installations'),
  part('integration:stores'),
  ...['unit', 'simulation', 'contract'].map((name) => suite(name, [`test/${name}/**/*.test.ts`])),
]

async function prepareNode(): Promise<void> {
  const obstacle = nodeObstacle()
  if (obstacle === undefined && (await findNodePrograms())) return
  console.log(`WARNING: tests with a real kubelet are SKIPPED: ${obstacle ?? 'its programs can not be had here'}`)
}

/** These tests may run once more (hack/decisions/2026-11-23-second-tries.md). */
function isTimed(name: string): boolean {
  return /^(e2e|integration|node)/.test(name)
}

/** `npm test -- e2e` runs all parts of e2e. */
function part(name: string): Step {
  return suite(name, parts[name] ?? [])
}

function rest(name: string): Step {
  const others = Object.entries(parts).flatMap(([other, files]) => (other.startsWith(`${name}:`) ? files : []))
  return suite(name, [`test/${name}/**/*.test.ts`], others)
}

function suite(name: string, files: readonly string[], but: readonly string[] = []): Step {
  const command = [
    ...(coverage ? ['c8', '--clean=false', '--reporter=none'] : []),
    'node',
    // Tests make many short-lived objects: a larger space for them is collected less often.
    '--max-semi-space-size=64',
    'node_modules/mocha/bin/mocha.js',
    '--reporter=test/support/reporter.cjs',
    ...(process.env['CI'] ? ['--forbid-only'] : []),
    ...(process.env['CI'] && isTimed(name) ? ['--retries=1'] : []),
    ...but.map((pattern) => `--ignore=${pattern}`),
    ...files,
  ]
  return { name, suite: true, command }
}

async function run(step: Step, environment: NodeJS.ProcessEnv): Promise<Outcome> {
  await step.after
  const started = performance.now()
  const countsFile = join(scratch, `${step.name.replace(':', '-')}.json`)
  const [program = '', ...rest] = step.command
  // A separate process group, so that everything that a test leaves running can be ended with it.
  const child = spawn(program, rest, {
    cwd: root,
    env: { ...environment, PILOTHOUSE_COUNTS: countsFile, ...(times && { PILOTHOUSE_TIMES: '1' }) },
    detached: true,
  })
  const endGroup = (): void => void (child.pid !== undefined && endProcessGroup(child.pid))
  process.once('exit', endGroup)
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const watchdog = watchFor(countsFile, (trouble) => {
    output += `${trouble}\n`
    endGroup()
  })
  const code = await new Promise<number>((resolve) => {
    child.on('error', (error) => {
      output += `${error.message}\n`
      resolve(1)
    })
    child.on('close', (status) => resolve(status ?? 1))
  })
  clearInterval(watchdog)
  process.off('exit', endGroup)
  const seconds = (performance.now() - started) / 1000
  const outcome: Outcome = { ...nothingCounted(step, code === 0), seconds }
  if (step.suite) addCounts(outcome, countsFile)
  else outcome.passed = outcome.ok ? 1 : 0
  if (!outcome.ok && outcome.failed === 0) {
    outcome.failed = 1
    outcome.failures.push({ title: '', message: output.trim().split('\n').at(-1) ?? '' })
  }
  report(outcome, output)
  return outcome
}

function nothingCounted(step: Step, ok: boolean): Outcome {
  return { step, ok, passed: 0, failed: 0, skipped: 0, seconds: 0, notes: [], failures: [] }
}

/** A suite that hangs, or whose process lives on after its last test, fails instead of holding everything up. */
function watchFor(countsFile: string, onTrouble: (trouble: string) => void): NodeJS.Timeout {
  const started = performance.now()
  let over: number | undefined
  let current = { title: '', since: started }
  return setInterval(() => {
    const now = performance.now()
    const title = currentTest(countsFile)
    if (title !== current.title) current = { title, since: now }
    if (over === undefined && existsSync(countsFile)) over = now
    if (over !== undefined) {
      if (now - over > lingerMsMax)
        onTrouble('the tests are over, but something that one of them started keeps the process alive')
    } else if (title !== '' && now - current.since > testMsMax)
      onTrouble(`hangs for ${testMsMax / 60_000} minutes in or after: ${title}`)
    else if (now - started > suiteMsMax) onTrouble(`not over after ${suiteMsMax / 60_000} minutes, in: ${title}`)
  }, 1000)
}

/** The test that runs according to the reporter; empty before the first test, and for checks. */
function currentTest(countsFile: string): string {
  const file = `${countsFile}.now`
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

function endProcessGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // The process group has ended.
  }
}

function addCounts(outcome: Outcome, file: string): void {
  if (!existsSync(file)) return
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const counts = JSON.parse(line) as Counts
    outcome.passed += counts.passed
    outcome.failed += counts.failed
    outcome.skipped += counts.skipped
    outcome.notes.push(...counts.notes)
    outcome.failures.push(...counts.failures)
    outcome.cpuSeconds = (outcome.cpuSeconds ?? 0) + counts.cpuSeconds
  }
}

/** Everything that a failed step printed; of a suite that passed only which tests were repeated or skipped. */
function report(outcome: Outcome, output: string): void {
  const { step, ok, passed, failed, skipped, seconds, cpuSeconds, notes } = outcome
  const counts = step.suite ? ` ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}` : ''
  const cpu = cpuSeconds === undefined ? '' : `, ${cpuSeconds.toFixed(1)} s of processors`
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${step.name}${counts} (${seconds.toFixed(1)} s${cpu})`)
  if (!ok || (step.suite && times)) console.log(output.trimEnd())
  else for (const line of notes) console.log(`  ${line}`)
}

/** Once more at the end, where logs that leave out their middle keep it: a line a failure. */
function nameFailures(outcomes: readonly Outcome[]): void {
  const lines = outcomes.flatMap(({ step, failures }) =>
    failures.map(
      ({ title, message }) => `FAIL ${[step.name, title, message.replaceAll(/\s+/g, ' ')].filter(Boolean).join(': ')}`,
    ),
  )
  for (const line of lines.slice(0, namedFailuresMax)) console.log(line.slice(0, failureLineMax))
  if (lines.length > namedFailuresMax) console.log(`and ${lines.length - namedFailuresMax} more`)
}

/**
 * Runs `width` steps at a time: checks compute, and the deciding machine has two cores; suites also wait. One lane
 * begins with `row`, whose steps never run at the same time.
 */
async function runAll(
  steps: readonly Step[],
  width: number,
  environment: NodeJS.ProcessEnv,
  row: readonly Step[] = [],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const queue = [...steps]
  const lane = async (first: readonly Step[]): Promise<void> => {
    for (const step of first) outcomes.push(await run(step, environment))
    for (let step = queue.shift(); step; step = queue.shift()) outcomes.push(await run(step, environment))
  }
  await Promise.all(Array.from({ length: width }, (_, index) => lane(index === 0 ? row : [])))
  return outcomes
}

/** A folder for PATH with only these programs, given by their paths; programs on PATH already are found there. */
function folderWith(programs: Readonly<Record<string, string>>): string {
  const folder = join(scratch, 'bin')
  mkdirSync(folder, { recursive: true })
  for (const [name, path] of Object.entries(programs)) if (path !== name) symlinkSync(path, join(folder, name))
  return folder
}

async function main(): Promise<number> {
  const started = performance.now()
  const chosen = (step: Step): boolean => wanted.length === 0 || wanted.includes(step.name.replace(/:.*/, ''))
  const environment: NodeJS.ProcessEnv = {
    // Hundreds of short starts of kubectl and etcd: collecting garbage less often saves a fifth of their CPU.
    GOGC: '400',
    ...process.env,
    NODE_OPTIONS: process.env['NODE_OPTIONS'] ?? '',
  }
  const etcd = await findEtcd()
  const kubectl = await findKubectl()
  if (etcd) environment['PILOTHOUSE_ETCD'] = etcd
  else console.log('WARNING: no etcd 3.5.8 or later can be had here: tests against a real etcd are SKIPPED')
  if (kubectl) environment['PATH'] = `${folderWith({ kubectl })}:${process.env['PATH']}`
  else console.log('WARNING: no kubectl 1.32 or later can be had here: tests with a real kubectl are SKIPPED')

  const outcomes = await runAll(checks.filter(chosen), 2, environment)
  // The coverage of bundles would not show the sources.
  if (!coverage && [...suites, ...nodeSuites].some((step) => chosen(step) && isTimed(step.name)))
    environment['PILOTHOUSE_PROGRAMS'] = await bundleClone()
  outcomes.push(...(await runAll(suites.filter(chosen), 4, environment, nodeSuites.filter(chosen))))
  if (coverage) await run({ name: 'coverage', command: ['c8', 'report'] }, environment)
  for (const [name, found] of Object.entries({ etcd, kubectl }))
    if (!found && process.env['CI']) {
      const failures = [{ title: '', message: 'this run must have a real one' }]
      outcomes.push({ ...nothingCounted({ name, command: [] }, false), failed: 1, failures })
    }

  const sum = (key: 'passed' | 'failed' | 'skipped'): number => outcomes.reduce((total, one) => total + one[key], 0)
  console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s`)
  console.log(
    `${sum('passed')} passed, ${sum('failed')} failed${sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''}`,
  )
  nameFailures(outcomes)
  rmSync(scratch, { recursive: true, force: true })
  return outcomes.every((outcome) => outcome.ok) ? 0 : 1
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.exit(await main())
