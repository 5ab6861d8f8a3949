import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import { isWorking } from '../../hack/ha/supervisor.ts'
import { findEtcd, findEtcdctl, findHaproxy, findKeepalived } from '../../hack/programs.ts'
import { scratchFolder } from '../support/apiserver.ts'
import { type GuideBlock, readGuide } from '../support/deploy/guide.ts'
import { Machine, type StandIn, systemctl } from '../support/deploy/machine.ts'
import { eventually } from '../support/eventually.ts'
import { findKubectl } from '../support/kubectl.ts'

const root = join(import.meta.dirname, '../..')
const deploy = join(root, 'deploy')
/** How exposed a service may be at most, in tenths, as systemd-analyze counts: 0 is not at all, 100 is without any protection. */
const exposureMax = '15'

/** `npm install` of the archive, which test/e2e/package.test.ts does, here by links to the sources and to this Node. */
const npm: StandIn = (_machine, [, verb, , prefix = '']) => {
  assert.equal(verb, 'install')
  const modules = join(prefix, 'node_modules')
  const binaries = join(modules, '.bin')
  mkdirSync(binaries, { recursive: true })
  symlinkSync(process.execPath, join(binaries, 'node'))
  for (const program of ['pilothouse', 'apiserver', 'controller-manager']) {
    const main = join(modules, 'pilothouse/dist/cmd', program, 'main.js')
    mkdirSync(dirname(main), { recursive: true })
    symlinkSync(join(root, 'cmd', program, 'main.ts'), main)
  }
  writeFileSync(
    join(binaries, 'pilothouse'),
    `#!/bin/sh\nexec node ${modules}/pilothouse/dist/cmd/pilothouse/main.js "$@"\n`,
  )
  chmodSync(join(binaries, 'pilothouse'), 0o755)
  symlinkSync(deploy, join(modules, 'pilothouse/deploy'))
}

describe('the systemd units', function () {
  this.timeout(60_000)
  const units = join(deploy, 'systemd/system')
  const services = readdirSync(units).filter((name) => name.endsWith('.service'))
  const scratch = scratchFolder('units')
  after(() => scratch.remove())
  before(function () {
    if (spawnSync('systemd-analyze', ['--version']).status === 0) return
    process.stdout.write('no systemd-analyze here: the units are NOT checked\n')
    this.skip()
  })

  const analyze = (...line: string[]): { status: number | null; output: string } => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', line, { encoding: 'utf8', cwd: scratch.path })
    return { status, output: stdout + stderr }
  }

  /** Copies of the units whose programs are there. */
  function copyUnit(name: string, text: string): string {
    const file = join(scratch.path, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text.replaceAll(/^(Exec\w+=)\/\S+/gm, '$1/bin/true'))
    return file
  }

  it('are understood by systemd, every line of them', () => {
    const files = services.map((name) => copyUnit(name, readFileSync(join(units, name), 'utf8')))
    copyUnit(
      'haproxy.service.d/pilothouse.conf',
      readFileSync(join(units, 'haproxy.service.d/pilothouse.conf'), 'utf8'),
    )
    files.push(copyUnit('haproxy.service', '[Service]\nType=notify\nExecStart=/usr/sbin/haproxy -Ws\n'))
    assert.deepEqual(analyze('verify', ...files), { status: 0, output: '' })
  })

  it('a line that systemd does not know is found', () => {
    const file = copyUnit('wrong.service', '[Service]\nExecStart=/bin/true\nProtectEverything=yes\n')
    assert.match(analyze('verify', file).output, /Unknown key (?:name )?.ProtectEverything/)
  })

  for (const name of services)
    it(`${name} is exposed to little`, () => {
      const file = copyUnit(name, readFileSync(join(units, name), 'utf8'))
      const { status, output } = analyze('security', '--offline=true', `--threshold=${exposureMax}`, file)
      assert.equal(status, 0, output)
    })
})

describe("keepalived's configuration", function () {
  this.timeout(120_000)
  it('is understood by keepalived', async function () {
    const keepalived = await findKeepalived()
    const [name] = Object.entries(networkInterfaces()).find(([, all]) => all?.[0]?.internal === false) ?? []
    if (keepalived === undefined || name === undefined) return this.skip()
    const scratch = scratchFolder('keepalived')
    try {
      const own = join(scratch.path, 'own.conf')
      const values = { NAME: 'cp-1', ADDRESS: '192.168.7.11', SHARED_ADDRESS: '192.168.7.10', INTERFACE: name }
      writeFileSync(
        own,
        Object.entries(values)
          .map(([key, value]) => `$${key}=${value}\n`)
          .join(''),
      )
      const text = readFileSync(join(deploy, 'ha/keepalived.conf'), 'utf8').replace(
        '/etc/pilothouse/keepalived.conf',
        own,
      )
      const complaints = (wrong: string): string => {
        const file = join(scratch.path, 'keepalived.conf')
        writeFileSync(file, text + wrong)
        // It ends itself by a signal when it has read all.
        const { stdout, stderr } = spawnSync(keepalived, ['-t', '-f', file], { encoding: 'utf8', timeout: 20_000 })
        return (stdout + stderr).replaceAll(/^Terminated\n/gm, '')
      }
      assert.match(complaints('no_such_thing\n'), /Unknown keyword 'no_such_thing'/)
      assert.equal(complaints(''), '')
    } finally {
      scratch.remove()
    }
  })
})

describe('deploy/README.md, followed on three machines', function () {
  this.timeout(120_000)
  const scratch = scratchFolder('deploy')
  const blocks = readGuide(readFileSync(join(deploy, 'README.md'), 'utf8'))
  const machines = new Map<string, Machine>()
  const machine = (name: string): Machine => machines.get(name) ?? assert.fail(`there is no machine ${name}`)
  let done = new Set<GuideBlock>()

  before(async function () {
    const [etcd, etcdctl, haproxy] = [await findEtcd(), await findEtcdctl(), await findHaproxy()]
    if (!findKubectl() || !etcd || !etcdctl || !haproxy || process.platform !== 'linux') return this.skip()
    const programs = join(scratch.path, 'bin')
    mkdirSync(programs)
    if (etcdctl !== 'etcdctl') symlinkSync(etcdctl, join(programs, 'etcdctl'))
    done = new Set()
    const network = `127.${randomByte()}.${randomByte()}`
    for (const index of [1, 2, 3]) machines.set(`cp-${index}`, makeMachine(index, network, programs, { etcd, haproxy }))
  })
  after(async () => {
    await Promise.all([...machines.values()].map((one) => one.stop()))
    scratch.remove()
  })

  /** test/e2e/ha.test.ts runs three replicas and two managers. */
  const idle: Readonly<Record<number, readonly string[]>> = {
    2: ['pilothouse-controller-manager'],
    3: ['pilothouse-controller-manager', 'pilothouse-apiserver'],
  }

  const randomByte = (): number => 1 + Math.floor(Math.random() * 250)

  /** Performed by the test: what would change the machine that it runs on, or needs one. */
  const standIns: Readonly<Record<string, StandIn>> = {
    systemctl,
    npm,
    // Packages of Debian: hack/programs.ts has found their programs.
    'apt-get': () => {},
    // Between folders, as there are no other machines.
    scp: (_machine, words) => {
      const [source = '', target = ''] = words.slice(1).filter((word) => word !== '-r')
      const [name = '', path = ''] = target.split(':')
      const relative = path.slice(path.indexOf('/root/'))
      cpSync(source, join(machine(name).path(relative), source.split('/').at(-1) ?? ''), { recursive: true })
    },
    // Settings of the kernel.
    sysctl: () => {},
    // Makes users in the machine's folder, and folders that belong to them: for root alone.
    'systemd-sysusers': ({ root: folder }, [, file = '']) => runIfRoot('systemd-sysusers', `--root=${folder}`, file),
    'systemd-tmpfiles': (own, [, , file = '']) => {
      runIfRoot('systemd-tmpfiles', `--root=${own.root}`, '--create', file)
      for (const folder of ['/etc/kubernetes', '/etc/pilothouse']) mkdirSync(own.path(folder), { recursive: true })
    },
  }

  function runIfRoot(program: string, ...line: string[]): void {
    if (process.getuid?.() !== 0 || spawnSync(program, ['--version']).status !== 0) return
    const { status, stderr } = spawnSync(program, line, { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  }

  function makeMachine(
    index: number,
    network: string,
    programs: string,
    paths: Record<'etcd' | 'haproxy', string>,
  ): Machine {
    const address = `${network}.1${index}`
    const one = new Machine({
      name: `cp-${index}`,
      root: join(scratch.path, `cp-${index}`),
      programs,
      standIns,
      idle: idle[index] ?? [],
      whenWorking: (own, service) => whenWorking(own, service, address),
      addresses: {
        ...Object.fromEntries([0, 1, 2, 3].map((last) => [`192.168.7.1${last}`, `${network}.1${last}`])),
        '127.0.0.1': address,
      },
      replacements: [
        [/^export NAME=\S+ ADDRESS=\S+/gm, `export NAME=cp-${index} ADDRESS=${address}`],
        // An address of the loopback network is no endpoint.
        [/--advertise-address=\$ADDRESS/g, `--advertise-address=192.0.2.${index}`],
        [/--shutdown-delay-duration=\S+/g, '--shutdown-delay-duration=0s'],
      ],
    })
    const link = (program: string, path: string): void => {
      const found = path.includes('/')
        ? path
        : spawnSync('sh', ['-c', `command -v ${path}`], { encoding: 'utf8' }).stdout.trim()
      symlinkSync(found, one.path(program))
    }
    link('usr/bin/etcd', paths.etcd)
    link('usr/sbin/haproxy', paths.haproxy)
    mkdirSync(one.path('etc/systemd/system'), { recursive: true })
    for (const package_ of ['haproxy', 'keepalived'])
      writeFileSync(one.path(`etc/systemd/system/${package_}.service`), '[Service]\nExecStart=/bin/true\n')
    return one
  }

  async function whenWorking(own: Machine, service: string, address: string): Promise<void> {
    const health = { etcd: `http://${address}:2381/health`, 'pilothouse-apiserver': `https://${address}:6443/readyz` }[
      service
    ]
    if (health === undefined) return
    await eventually(async () => {
      if (!own.service(service).isRunning)
        throw new Error(`${own.name}: ${service} ended:\n${own.service(service).log}`)
      return await isWorking({ port: 0, health }, own.path('etc/kubernetes/pki/ca.crt'))
    }, `${own.name}: ${service} works`)
  }

  /** Runs a section's blocks; those for `each` machine run on the machines that are named, as one is like the other. */
  async function follow(section: string, each: readonly string[] = [...machines.keys()]): Promise<string> {
    const own = blocks.filter((block) => block.section === section)
    assert.notEqual(own.length, 0, `no section ${section}`)
    let output = ''
    for (const block of own) {
      const names = {
        every: [...machines.keys()],
        each,
        others: ['cp-2', 'cp-3'],
      }[block.on] ?? [block.on]
      if (block.on === 'each') for (const name of names) output += await machine(name).run(block.text)
      else output += (await Promise.all(names.map((name) => machine(name).run(block.text)))).join('')
      done.add(block)
    }
    return output
  }

  const kubectl = (line: string): Promise<string> => machine('cp-1').run(`kubectl ${line}`)

  it('Install: replicas behind the shared address', async () => {
    const output = await follow('Install')
    assert.match(output, /readyz check passed/)
    assert.match(output, /^kubernetes +192\.0\.2\.1:6443,192\.0\.2\.2:6443 /m)
    assert.match(await kubectl('config view'), /server: https:\/\/127\.\d+\.\d+\.10:6443/)
    assert.equal(existsSync(machine('cp-2').path('root/shared.tar')), false)
  })

  it('Upgrade and Roll back: the release changes, what was written stays', async () => {
    const version = async (): Promise<string> => (await machine('cp-1').run('readlink /opt/pilothouse/current')).trim()
    await kubectl('create configmap kept --from-literal=a=b')
    await follow('Upgrade', ['cp-1'])
    assert.equal(await version(), '0.2.0')
    await follow('Roll back', ['cp-1'])
    assert.equal(await version(), '0.1.0')
    assert.match(await kubectl('get configmap kept'), /^kept /m)
  })

  it('Rotate certificates and keys: new ones serve, tokens of the old key are accepted meanwhile', async () => {
    const token = (await kubectl('create token default')).trim()
    const before = readFileSync(machine('cp-1').path('etc/kubernetes/pki/apiserver.crt'), 'utf8')
    await follow('Rotate certificates and keys', ['cp-1'])
    assert.notEqual(readFileSync(machine('cp-1').path('etc/kubernetes/pki/apiserver.crt'), 'utf8'), before)
    assert.match(await kubectl(`--token=${token} get --raw=/version`), /gitVersion/)
  })

  it('Replace a dead etcd member: three work again', async () => {
    await machine('cp-3').service('etcd').stop('SIGKILL')
    rmSync(machine('cp-3').path('var/lib/etcd'), { recursive: true })
    const output = await follow('Replace a dead etcd member')
    assert.match(output, /Member +\w+ removed from cluster/)
    await kubectl('create configmap after --from-literal=a=b')
  })

  it('leaves no command of the page out', () => {
    assert.deepEqual(
      blocks.filter((block) => !done.has(block)).map(({ section, line }) => `line ${line}, ${section}`),
      [],
    )
  })
})
