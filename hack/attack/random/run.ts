import type { Answer } from '../client.ts'
import { checkControllers } from '../liveness.ts'
import type { AttackedPlane } from '../plane.ts'
import type { Attacked } from '../proof.ts'
import { type Prepared, prepare } from '../setup.ts'
import { startWatchdog } from '../watchdog.ts'
import { createDice, type Dice } from './dice.ts'
import { createJudge, type Judge } from './judge.ts'
import { createSurface, type Surface } from './objects.ts'
import type { PlantedBug } from './plantedbugs.ts'
import { type Attributes, type Planned, planRequest } from './requests.ts'
import { type Attacker, attackers, type Rights, readRights } from './rights.ts'

export interface Finding {
  readonly seed: number
  readonly step: number
  readonly text: string
}

export interface RunOptions {
  readonly seed: number
  /** Ends after this many steps, or this much time, whichever comes first. */
  readonly steps: number
  readonly ms: number
  /** The first step; earlier ones are skipped. */
  readonly from?: number
  readonly signal?: AbortSignal
  readonly bug?: PlantedBug | undefined
  found?(finding: Finding): void
  say?(line: string): void
}

export interface Report {
  readonly steps: number
  readonly requests: number
  /** Number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly longestHeldMs: number
  readonly heldMsMax: number
  readonly memoryMbPeak: number
  readonly findings: readonly Finding[]
}

/** Number of findings after which a run ends: the first ones show the problem. */
const findingsMax = 40
const stepsBetweenChecks = 250
/** Memory limit of a server of this size, whatever attackers do. */
const memoryMbMax = 900

/** The attack on a fresh plane. */
export async function runRandomAttack(plane: AttackedPlane, options: RunOptions): Promise<Report> {
  const prepared = await prepare(plane)
  await limitPods(plane)
  const surface = await createSurface()
  const rights = await readRights(plane.as('admin'))
  const judge = createJudge(rights, prepared.markers)
  const watchdog = await startWatchdog(plane)
  try {
    return await new Attack({ plane, prepared, surface, rights, judge, watchdog }, options).run()
  } finally {
    await watchdog.close()
  }
}

/** Controllers create the pods that objects request: a limited number. */
async function limitPods(plane: AttackedPlane): Promise<void> {
  const hard = { pods: '30', 'count/jobs.batch': '30', 'count/secrets': '60', 'count/configmaps': '60' }
  await plane.as('admin').ask('POST', '/api/v1/namespaces/team/resourcequotas', { metadata: { name: 'limit' }, spec: { hard } }) // biome-ignore format: one line
}

interface Around extends Attacked {
  readonly prepared: Prepared
  readonly surface: Surface
  readonly rights: Rights
  readonly judge: Judge
}

class Attack {
  readonly #around: Around
  readonly #options: RunOptions
  readonly #findings: Finding[] = []
  readonly #statuses: Record<string, number> = {}
  readonly #guarded = new Map<string, string>()
  #requests = 0
  #longestHeldMs = 0
  #memoryMbPeak = 0
  #logRead = 0
  #auditRead = 0

  constructor(around: Around, options: RunOptions) {
    this.#around = around
    this.#options = options
  }

  async run(): Promise<Report> {
    const { from = 0, steps, ms, signal, say, bug } = this.#options
    await this.#readGuarded()
    await bug?.plant?.(this.#around.plane, this.#around.prepared)
    const startedMs = performance.now()
    let step = from
    const isOver = (): boolean =>
      step >= steps || performance.now() - startedMs > ms || this.#findings.length >= findingsMax || (signal?.aborted ?? false) // biome-ignore format: one line
    for (; !isOver(); step++) {
      await this.#step(step)
      if ((step + 1) % stepsBetweenChecks !== 0) continue
      await this.#check(step)
      say?.(`step ${step + 1}: ${this.#requests} requests, ${this.#around.watchdog.memoryMb()} MB, found: ${this.#findings.length}`) // biome-ignore format: one line
    }
    await this.#check(step - 1)
    return {
      steps: step - from,
      requests: this.#requests,
      statuses: this.#statuses,
      longestHeldMs: this.#longestHeldMs,
      heldMsMax: this.#around.watchdog.heldMsMax,
      memoryMbPeak: this.#memoryMbPeak,
      findings: this.#findings,
    }
  }

  #find(step: number, text: string): void {
    const finding = { seed: this.#options.seed, step, text }
    this.#findings.push(finding)
    this.#options.found?.(finding)
  }

  /** One request, many equal ones at once, or several of several users at once. */
  async #step(step: number): Promise<void> {
    const dice = createDice(this.#options.seed, step)
    const shots = shotsOf(this.#around, dice)
    const answers = await Promise.all(shots.map(async (shot) => ({ ...shot, answer: await this.#send(shot) })))
    const found = new Set<string>()
    for (const { user, planned, answer } of answers) {
      const key = answer.status === 0 ? 'none' : String(answer.status)
      this.#statuses[key] = (this.#statuses[key] ?? 0) + 1
      for (const text of this.#around.judge.answer(user, planned, answer)) found.add(`${shown(user, planned)} ${text}`)
    }
    for (const text of found) this.#find(step, text)
    this.#requests += shots.length
    const { heldMs, waitedMs } = await this.#around.watchdog.loop()
    this.#longestHeldMs = Math.max(this.#longestHeldMs, heldMs)
    const first = shots[0]
    const what = first ? `${shots.length} × ${shown(first.user, first.planned)}` : ''
    if (heldMs > this.#around.watchdog.heldMsMax)
      this.#find(step, `${what} held the loop for ${heldMs.toFixed(0)} ms of CPU within ${waitedMs.toFixed(0)} ms, of ${this.#around.watchdog.heldMsMax.toFixed(0)} allowed`) // biome-ignore format: one line
    const memoryMb = this.#around.watchdog.memoryMb()
    if (memoryMb > memoryMbMax && memoryMb > this.#memoryMbPeak + 50) this.#find(step, `${what}: the server takes ${memoryMb} MB, of ${memoryMbMax} allowed`) // biome-ignore format: one line
    this.#memoryMbPeak = Math.max(this.#memoryMbPeak, memoryMb)
  }

  async #send({ user, planned }: Shot): Promise<Answer> {
    const client = user === 'anonymous' ? this.#around.plane.anonymous() : this.#around.plane.as(user)
    return await client.send(planned.sent)
  }

  /** Checks the state after a run of steps. */
  async #check(step: number): Promise<void> {
    const admin = this.#around.plane.as('admin')
    for (const path of cleanedPaths) {
      const answer = await admin.ask('DELETE', path)
      if (answer.status !== 200) this.#find(step, `the administrator can't DELETE ${path}: ${answer.status} ${answer.text.slice(0, 300)}`) // biome-ignore format: one line
    }
    for (const text of await checkControllers(this.#around)) this.#find(step, text)
    for (const [path, before] of this.#guarded) {
      const { status, text } = await admin.ask('GET', path)
      if (text !== before) this.#find(step, `${path} was changed: ${status} ${text.slice(0, 300)}`)
    }
    this.#checkWritten(step, (await admin.ask('GET', '/metrics')).text)
    // The deletion of all objects of a kind is not an attacker's request.
    await this.#around.watchdog.loop()
  }

  #checkWritten(step: number, metrics: string): void {
    const log = this.#around.plane.server.output()
    const audit = this.#around.plane.audit()
    const lines = log.slice(this.#logRead).split('\n').filter((line) => /^[EF]\d{4} /.test(line)) // biome-ignore format: one line
    for (const line of new Set(lines)) this.#find(step, `the server logs: ${line.slice(0, 500)}`)
    for (const [where, text] of [
      ['the log', log.slice(this.#logRead)],
      ['the audit log', audit.slice(this.#auditRead)],
      ['metrics', metrics],
    ] as const)
      for (const found of this.#around.judge.written(where, text)) this.#find(step, found)
    this.#logRead = log.length
    this.#auditRead = audit.length
    const { exitCode } = this.#around.plane.server.process
    if (exitCode !== null) this.#find(step, `the server ended with ${exitCode}: ${log.slice(-2000)}`)
  }

  async #readGuarded(): Promise<void> {
    for (const path of this.#around.prepared.guarded) {
      const { status, text } = await this.#around.plane.as('admin').ask('GET', path)
      if (status !== 200) throw new Error(`${path} can't be read: ${status}`)
      this.#guarded.set(path, text)
    }
  }
}

interface Shot {
  readonly user: Attacker
  readonly planned: Planned
}

const togetherMax = 16
/** Bytes of bodies that one step sends together. */
const bytesTogetherMax = 400_000

function shotsOf({ surface, rights }: Around, dice: Dice): Shot[] {
  const shot = (): Shot => {
    const user = dice.pick(attackers)
    // Most forbidden requests are refused at once.
    const isAllowed = !dice.once(4)
    const wants = (attributes: Attributes): boolean => !isAllowed || rights.allows(user, attributes)
    return { user, planned: planRequest(surface, dice, { wants, isDry: user === 'admin' }) }
  }
  const first = shot()
  if (!dice.once(6)) return [first]
  const count = 2 + dice.below(togetherMax - 1)
  if (dice.once(2)) return [first, ...Array.from({ length: count - 1 }, shot)]
  const bytes = Buffer.byteLength(first.planned.sent.body ?? '')
  return Array.from({ length: Math.max(1, Math.min(count, Math.floor(bytesTogetherMax / (bytes + 1)))) }, () => first)
}

const bodyCharsShown = 1500

function shown(user: Attacker, { sent }: Planned): string {
  const type = sent.headers?.['content-type'] ?? ''
  const body = sent.body === undefined ? '' : Buffer.from(sent.body).toString('latin1').slice(0, bodyCharsShown)
  return `${user}: ${sent.method} ${sent.path.slice(0, 300)} ${type} ${sent.http2 ? 'h2' : 'h1'} ${JSON.stringify(body)}`
}

/** The author's policies would apply to all later requests. */
const cleanedPaths = [
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicybindings',
  'validatingadmissionpolicies',
  'mutatingadmissionpolicies',
].map((resource) => `/apis/admissionregistration.k8s.io/v1/${resource}`)
