import assert from 'node:assert/strict'
import {
  bool,
  commaList,
  durationMs,
  FlagError,
  float,
  formatHelp,
  integer,
  integerList,
  ipAddress,
  keyValues,
  labelledLists,
  namedCertKeys,
  nearest,
  parseFlags,
  portRange,
  quantity,
  repeated,
  text,
  verbosityPatterns,
  versionRequest,
} from '../../../lib/flags/index.ts'

const groups = {
  Serving: {
    'secure-port': integer(6443, 'Port.', { min: 0, max: 65535 }),
    'bind-address': ipAddress('0.0.0.0', 'Address to listen on.'),
    'cert-dir': text('/var/run/kubernetes', 'Folder of certificates.'),
    'tls-sni-cert-key': namedCertKeys('Pairs by name.'),
    curves: integerList([], 'Curves.'),
    'port-range': portRange({ first: 30000, last: 32767 }, 'Ports of services.'),
  },
  Features: {
    profiling: bool(true, 'Serve profiles.'),
    'kubelet-port': integer(10250, 'Port.', { deprecated: 'it goes away', hidden: true }),
    'enable-logs-handler': bool(false, 'Serve logs.', { deprecated: 'use the node API' }),
    'egress-file': text('', 'File.', { ineffective: 'egress is not selected' }),
    'goaway-chance': float(0, 'Chance.'),
    'buffer-size': quantity('0', 'Buffer.'),
    'runtime-config': keyValues('Versions to serve.'),
    'allow-metric-labels': labelledLists('Labels.'),
    'etcd-servers': commaList([], 'Servers.'),
    issuer: repeated([], 'Issuers.'),
    timeout: durationMs('1m0s', 'Timeout.'),
  },
  Global: {
    help: bool(false, 'Print help.', { short: 'h' }),
    version: versionRequest('Print the version.'),
    v: integer(0, 'Verbosity.', { short: 'v' }),
    vmodule: verbosityPatterns('By file.'),
  },
}

/** Word of the command line, flag, what it comes to. */
const accepted: [string[], string, unknown][] = [
  [[], 'secure-port', 6443],
  [['--secure-port=1'], 'secure-port', 1],
  [['--secure-port', '1'], 'secure-port', 1],
  [['--secure_port=1'], 'secure-port', 1],
  [['--secure-port=1', '--secure-port=2'], 'secure-port', 2],
  [['--profiling=false'], 'profiling', false],
  [['--profiling'], 'profiling', true],
  [['--profiling=F'], 'profiling', false],
  [['-v=4'], 'v', 4],
  [['-v', '4'], 'v', 4],
  [['-v4'], 'v', 4],
  [['--v=4'], 'v', 4],
  [['-h'], 'help', true],
  [['--version'], 'version', 'true'],
  [['--version=raw'], 'version', 'raw'],
  [['--bind-address=::1'], 'bind-address', '::1'],
  [['--bind-address='], 'bind-address', ''],
  [['--cert-dir='], 'cert-dir', ''],
  [['--cert-dir', '--x'], 'cert-dir', '--x'],
  [['--timeout=1h30m'], 'timeout', 5_400_000],
  [['--timeout=-1s'], 'timeout', -1000],
  [['--buffer-size=1024Mi'], 'buffer-size', '1Gi'],
  [['--goaway-chance=0.02'], 'goaway-chance', 0.02],
  [['--etcd-servers=a,b', '--etcd-servers', 'c'], 'etcd-servers', ['a', 'b', 'c']],
  [['--etcd-servers="a,1",b'], 'etcd-servers', ['a,1', 'b']],
  [['--etcd-servers='], 'etcd-servers', []],
  [['--issuer=a,b', '--issuer=c'], 'issuer', ['a,b', 'c']],
  [['--curves=29,23'], 'curves', [29, 23]],
  [['--port-range=30000+10'], 'port-range', { first: 30000, last: 30010 }],
  [['--port-range=80'], 'port-range', { first: 80, last: 80 }],
  [
    ['--runtime-config=api/all=true,v1=false', '--runtime-config=v1'],
    'runtime-config',
    [
      ['api/all', 'true'],
      ['v1', ''],
    ],
  ],
  [
    ['--allow-metric-labels=m,l=a,b', "--allow-metric-labels=n,l='c'"],
    'allow-metric-labels',
    [
      ['m,l', ['a', 'b']],
      ['n,l', ['c']],
    ],
  ],
  [
    ['--vmodule=route=2,watch*=4'],
    'vmodule',
    [
      ['route', 2],
      ['watch*', 4],
    ],
  ],
  [
    ['--tls-sni-cert-key=a.crt,a.key:x.io,*.y.io', '--tls-sni-cert-key=b.crt,b.key'],
    'tls-sni-cert-key',
    [
      { certFile: 'a.crt', keyFile: 'a.key', names: ['x.io', '*.y.io'] },
      { certFile: 'b.crt', keyFile: 'b.key', names: [] },
    ],
  ],
]

const refused: [string[], string][] = [
  [['--secure-prot=1'], 'unknown flag: --secure-prot (did you mean --secure-port?)'],
  [['--frobnicate'], 'unknown flag: --frobnicate'],
  [['--kubelet-prt=1'], 'unknown flag: --kubelet-prt'],
  [['-x'], 'unknown flag: -x'],
  [['-x=1'], 'unknown flag: -x in -x=1'],
  [['--secure-port'], '--secure-port needs a value'],
  [['--secure-port=65536'], '--secure-port: 65536 is not between 0 and 65535'],
  [['--secure-port=1e3'], '--secure-port: "1e3" is not a whole number'],
  [['--secure-port='], '--secure-port: "" is not a whole number'],
  [['--profiling=maybe'], '--profiling: "maybe" is neither true nor false'],
  [['--bind-address=1.2.3'], '--bind-address: "1.2.3" is not an IP address'],
  [['--bind-address=1.2.3.04'], '--bind-address: "1.2.3.04" is not an IP address'],
  [['--bind-address=::g'], '--bind-address: "::g" is not an IP address'],
  [['--timeout=5'], '--timeout: "5" is not a duration (300ms, 10s, 1h30m)'],
  [['--buffer-size=5x'], '--buffer-size: "5x" is not a quantity (1000, 64Mi)'],
  [['--goaway-chance=often'], '--goaway-chance: "often" is not a number'],
  [['--etcd-servers=a"b'], '--etcd-servers: "a"b" has a quote in the wrong place'],
  [['--port-range=2-1'], '--port-range: "2-1" is not a range of ports (30000-32767)'],
  [['--runtime-config==true'], '--runtime-config: "=true" is not of the form key=value'],
  [
    ['--tls-sni-cert-key=a.crt'],
    '--tls-sni-cert-key: "a.crt" is not of the form certificate,key or certificate,key:name,name',
  ],
]

function plain(value: unknown): unknown {
  return value instanceof Map ? [...value] : value
}

describe('flags', () => {
  for (const [line, name, expected] of accepted)
    it(`reads ${line.join(' ') || 'nothing'} as ${name} ${JSON.stringify(expected)}`, () => {
      const values: Readonly<Record<string, unknown>> = parseFlags(groups, line).values
      assert.deepEqual(plain(values[name]), expected)
    })

  for (const [line, message] of refused)
    it(`refuses ${line.join(' ')}: ${message}`, () => {
      assert.throws(() => parseFlags(groups, line), { constructor: FlagError, message })
    })

  it('types the values by the table', () => {
    const { values } = parseFlags(groups, ['--secure-port=7'])
    const port: number = values['secure-port']
    const servers: readonly string[] = values['etcd-servers']
    assert.deepEqual([port, servers], [7, []])
  })

  it('distinguishes given values from defaults', () => {
    const { given } = parseFlags(groups, ['--secure-port=6443'])
    assert.deepEqual([...given], ['secure-port'])
  })

  it('keeps other arguments, and everything behind --, as positional', () => {
    const { positional, values } = parseFlags(groups, ['up', '--profiling', 'now', '--', '--secure-port=1'])
    assert.deepEqual(positional, ['up', 'now', '--secure-port=1'])
    assert.equal(values['secure-port'], 6443)
  })

  it('warns of deprecated flags, hidden ones too, and of those without effect only when they differ', () => {
    const line = ['--enable-logs-handler', '--kubelet-port=1', '--egress-file=']
    assert.deepEqual(parseFlags(groups, line).warnings, [
      '--enable-logs-handler is deprecated: use the node API',
      '--kubelet-port is deprecated: it goes away',
    ])
    assert.deepEqual(parseFlags(groups, ['--egress-file=x']).warnings, [
      '--egress-file has no effect: egress is not selected',
    ])
  })

  it('lists flags in help by group with defaults, without hidden ones, within the width', () => {
    const help = formatHelp(groups, 90)
    assert.match(help, /^Serving:\n\n {6}--secure-port int {2,}Port\. \(default 6443\)$/m)
    assert.match(help, /-h, --help/)
    assert.doesNotMatch(help, /kubelet-port/)
    assert.deepEqual(
      help.split('\n').filter((line) => line.length > 90),
      [],
    )
  })

  it('finds the nearest word only when it is near', () => {
    const words = ['feature-gates', 'secure-port']
    assert.equal(nearest('featuer-gate', words), 'feature-gates')
    assert.equal(nearest('zzz', words), undefined)
  })
})
