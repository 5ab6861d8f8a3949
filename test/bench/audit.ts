// The cost of auditing: `node test/bench/audit.ts`. Figures are microseconds of CPU for one request.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tables } from '../../api/index.ts'
import {
  type AuditedCall,
  type AuditMode,
  createAuditor,
  createLogDelivery,
  createSink,
  openLogFile,
  type PolicyRule,
} from '../../lib/audit/index.ts'
import { silentLogger, systemClock } from '../../lib/base/index.ts'
import { createMetrics } from '../../lib/observe/index.ts'
import { parseRequestInfo } from '../../lib/request/index.ts'
import { createScheme } from '../../lib/scheme/index.ts'

const scheme = createScheme({ tables })
const folder = mkdtempSync(join(tmpdir(), 'pilothouse-bench-'))
const url = '/api/v1/namespaces/default/pods/web-0'
const user = { name: 'system:serviceaccount:default:web', uid: '1', groups: ['a', 'b', 'c'], extra: {} }
// The parts that auditing looks at.
const call = {
  url,
  headers: { 'user-agent': 'kubectl/v1.33.0 (linux/amd64)' },
  remoteAddress: '10.0.0.1',
  info: parseRequestInfo('GET', url, new URLSearchParams()),
  user,
  impersonationConstraint: '',
  auditId: '0b6a4c0e-2b0f-4a0c-8f0e-6a0b4c0e2b0f',
} as unknown as AuditedCall

/** As many rules as production policies have, none of which matches but the last. */
const rules: PolicyRule[] = [
  ...Array.from({ length: 20 }, (_, at) => ({
    level: 'None' as const,
    users: [`system:kube-controller-${at}`],
    verbs: ['get', 'watch'],
    resources: [{ group: '', resources: ['endpoints', 'services/status'] }],
  })),
  { level: 'Metadata' },
]

async function measure(title: string, mode: AuditMode | undefined): Promise<void> {
  const metrics = createMetrics()
  const errors = metrics.counter({ name: 'bench_errors', help: 'Lost events.' })
  const parts = { clock: systemClock, log: silentLogger, errors }
  const file = { format: 'json' as const, bytesMax: 2 ** 30, backupsMax: 1, daysMax: 0, compress: false }
  const batch = { bufferSize: 100_000, maxSize: 100, maxWaitMs: 1000 }
  const sinks =
    mode === undefined
      ? []
      : [
          createSink(parts, createLogDelivery(parts, openLogFile(parts, join(folder, mode), file), file), {
            mode,
            batch,
          }),
        ]
  const auditor = createAuditor(
    { clock: systemClock, metrics, scheme, sinks },
    { rules, omitStages: ['RequestReceived'] },
  )
  async function run(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      const record = await auditor.begin(call)
      record?.annotate('authorization.k8s.io/decision', 'allow')
      record?.annotate(
        'authorization.k8s.io/reason',
        'RBAC: allowed by ClusterRoleBinding "view" of ClusterRole "view"',
      )
      record?.finished({ user, status: 200, failure: undefined, crashed: false })
      // As many requests a turn as a busy server has.
      if (round % 16 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await run(20_000)
  const rounds = 100_000
  const start = process.cpuUsage()
  await run(rounds)
  const { user: used, system } = process.cpuUsage(start)
  process.stdout.write(`${title.padEnd(40)} ${((used + system) / rounds).toFixed(2)} us\n`)
  await auditor.close()
}

try {
  await measure('event made, told to nobody', undefined)
  await measure('log, batch', 'batch')
  await measure('log, blocking', 'blocking')
  await measure('log, blocking-strict', 'blocking-strict')
} finally {
  rmSync(folder, { recursive: true })
}
