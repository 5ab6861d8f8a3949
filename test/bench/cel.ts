// The cost of a rule: `node test/bench/cel.ts`. Figures are microseconds of CPU for one evaluation (or one
// compilation).
import {
  compile,
  createEnvironment,
  kubernetesLibraries,
  ObjectType,
  type Program,
  types,
} from '../../lib/cel/index.ts'

const self = new ObjectType(
  'self',
  () =>
    new Map([
      ['replicas', { name: 'replicas', type: types.int }],
      ['maxReplicas', { name: 'maxReplicas', type: types.int }],
      ['name', { name: 'name', type: types.string }],
      ['ports', { name: 'ports', type: types.list(types.int, 100) }],
      ['labels', { name: 'labels', type: types.map(types.string, types.string, 100) }],
    ]),
)
const environment = createEnvironment({
  variables: { self, claims: types.map(types.string, types.dyn), request: types.dyn },
  libraries: kubernetesLibraries(),
})

const data = {
  self: {
    replicas: 3,
    maxReplicas: 10,
    name: 'app-1',
    ports: Array.from({ length: 100 }, (_, index) => index + 1000),
    labels: { app: 'web', tier: 'front' },
  },
  claims: { email: 'a@example.com', email_verified: true, groups: ['a', 'b'], roles: 'x,y' },
  request: { resourceAttributes: { namespace: 'default', verb: 'get', resource: 'pods' }, user: 'jane' },
}

const rules = [
  'self.replicas <= self.maxReplicas && self.name.startsWith("a")',
  'self.replicas <= self.maxReplicas',
  'has(self.labels) && self.labels["app"] == "web"',
  'self.ports.all(p, p > 0 && p < 65536)',
  'self.ports.exists(p, p == 1099)',
  'self.name.matches("^[a-z]([-a-z0-9]*[a-z0-9])?$")',
  'claims.email_verified == true ? claims.email : ""',
  'claims.roles.split(",").map(r, "role:" + r)',
  'has(request.resourceAttributes) && request.resourceAttributes.namespace == "default"',
  "quantity('1Gi').isGreaterThan(quantity('512Mi'))",
]

function measure(run: () => void): number {
  for (let warm = 0; warm < 2000; warm++) run()
  let rounds = 1000
  for (;;) {
    const start = process.cpuUsage()
    for (let round = 0; round < rounds; round++) run()
    const used = process.cpuUsage(start)
    const micros = used.user + used.system
    if (micros > 200_000) return micros / rounds
    rounds *= 4
  }
}

function compiled(text: string): Program {
  const result = compile(environment, text)
  if (!result.ok) throw new Error(result.message)
  return result.program
}

console.log('evaluate  compile  rule')
for (const rule of rules) {
  const program = compiled(rule)
  const outcome = program.evaluate(data)
  if (!outcome.ok) throw new Error(`${rule}: ${outcome.error.message}`)
  const evaluate = measure(() => void program.evaluate(data))
  const compilation = measure(() => void compiled(rule))
  console.log(`${evaluate.toFixed(2).padStart(8)} ${compilation.toFixed(1).padStart(8)}  ${rule}`)
}

console.log('\nint as      a <= b   a + b   (nanoseconds; why ints are numbers while they are safe)')
const numbers = Array.from({ length: 1000 }, (_, index) => index)
const bigints = numbers.map(BigInt)
let sink = 0
const perItem = (run: () => void): string => ((measure(run) * 1000) / 1000).toFixed(1).padStart(8)
const rows = [
  [
    'number',
    perItem(() => numbers.forEach((n) => (sink += n <= 500 ? 1 : 0))),
    perItem(() => numbers.forEach((n) => (sink += n + 7))),
  ],
  [
    'bigint',
    perItem(() => bigints.forEach((n) => (sink += n <= 500n ? 1 : 0))),
    perItem(() => bigints.forEach((n) => (sink += Number(BigInt.asIntN(64, n + 7n))))),
  ],
]
for (const [name = '', compare, sum] of rows) console.log(`${name.padEnd(8)} ${compare} ${sum}`)
if (sink < 0) console.log(sink)
