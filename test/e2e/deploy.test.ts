import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isWorking } from '../../hack/ha/supervisor.ts'
import { findHelmTemplate } from '../../hack/helm/find.ts'
import { programFile } from '../../hack/programfile.ts'
import { findEtcd, findEtcdctl, findHaproxy } from '../../hack/programs.ts'
import { scratchFolder } from '../support/apiserver.ts'
import { canUnshare, link, makeImage, startInImage } from '../support/deploy/bareroot.ts'
import { type GuideBlock, readGuide } from '../support/deploy/guide.ts'
import { Machine, type StandIn, systemctl } from '../support/deploy/machine.ts'
import { serviceMonitorDefinition } from '../support/deploy/servicemonitor.ts'
import { readStaticPod } from '../support/deploy/staticpod.ts'
import { eventually } from '../support/eventually.ts'
import { findKubectl } from '../support/kubectl.ts'

const root = join(import.meta.dirname, '../..')
const deploy = join(root, 'deploy')

/** `npm install` of the archive, which test/e2e/package.test.ts does, here by links to this clone's programs and to this Node. */
const npm: StandIn = (_machine, [, verb, , prefix = '']) => {
  assert.equal(verb, 'install')
  const modules = join(prefix, 'node_modules')
  const binaries = join(modules, '.bin')
  mkdirSync(binaries, { recursive: true })
  link(process.execPath, join(binaries, 'node'))
  for (const program of ['pilothouse', 'apiserver', 'controller-manager']) {
    const main = join(modules, 'pilothouse/dist/cmd', program, 'main.js')
    mkdirSync(dirname(main), { recursive: true })
    link(programFile(`cmd/${program}/main.ts`), main)
  }
  writeFileSync(
    join(binaries, 'pilothouse'),
    `#!/bin/sh\nexec node ${modules}/pilothouse/dist/cmd/pilothouse/main.js "$@"\n`,
  )
  chmodSync(join(binaries, 'pilothouse'), 0o755)
  link(deploy, join(modules, 'pilothouse/deploy'))
}

describe('deploy/README.md, followed on three machines', function () {
  this.timeout(120_000)
  const scratch = scratchFolder('deploy')
  const blocks = readGuide(readFileSync(join(deploy, 'README.md'), 'utf8'))
  const machines = new Map<string, Machine>()
  const machine = (name: string): Machine => machines.get(name) ?? assert.fail(`there is no machine ${name}`)
  const done = new Set<GuideBlock>()
  let token = ''

  before(async function () {
    // Where it is the first, it builds a program.
    this.timeout(400_000)
    const [etcd, etcdctl, haproxy, template] = [
      await findEtcd(),
      await findEtcdctl(),
      await findHaproxy(),
      findHelmTemplate(),
    ]
    if (!findKubectl() || !etcd || !etcdctl || !haproxy || !template || process.platform !== 'linux') return this.skip()
    const programs = join(scratch.path, 'bin')
    mkdirSync(programs)
    writeFileSync(join(programs, 'helm'), helm(template), { mode: 0o755 })
    if (etcdctl !== 'etcdctl') symlinkSync(etcdctl, join(programs, 'etcdctl'))
    const network = `127.${randomByte()}.${randomByte()}`
    for (const index of [1, 2, 3]) machines.set(`cp-${index}`, makeMachine(index, network, programs, { etcd, haproxy }))
  })
  after(async () => {
    await Promise.all([...machines.values()].map((one) => one.stop()))
    scratch.remove()
  })

  /** `helm upgrade --install RELEASE CHART --namespace=NAMESPACE --values=FILE`, with what this machine has of helm. */
  const helm = (template: string): string => `#!/bin/sh
set -eu
namespace=\${5#--namespace=}
${template} "$4" "$3" "$namespace" <"\${6#--values=}" >"$HOME/rendered.yaml"
kubectl -n "$namespace" apply -f "$HOME/rendered.yaml"
`

  /** One of each, to save time: test/e2e/ha.test.ts runs three replicas and two managers. */
  const idle: Readonly<Record<number, readonly string[]>> = {
    1: ['pilothouse-controller-manager'],
    2: ['pilothouse-apiserver', 'pilothouse-controller-manager'],
    3: ['pilothouse-apiserver'],
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
        // Raising etcd's revision takes time.
        [/--revision-margin=\S+/g, '--revision-margin=100'],
        // Nor does a test wait for the disk.
        [/^ETCD_NAME=/gm, 'ETCD_UNSAFE_NO_FSYNC=true\nETCD_NAME='],
      ],
    })
    const linkProgram = (program: string, path: string): void => {
      const found = path.includes('/')
        ? path
        : spawnSync('sh', ['-c', `command -v ${path}`], { encoding: 'utf8' }).stdout.trim()
      symlinkSync(found, one.path(program))
    }
    linkProgram('usr/bin/etcd', paths.etcd)
    linkProgram('usr/sbin/haproxy', paths.haproxy)
    mkdirSync(one.path('etc/systemd/system'), { recursive: true })
    for (const package_ of ['haproxy', 'keepalived'])
      writeFileSync(one.path(`etc/systemd/system/${package_}.service`), '[Service]\nExecStart=/bin/true\n')
    return one
  }

  async function whenWorking(own: Machine, service: string, address: string): Promise<void> {
    const secure = `https://${address}:6443/readyz`
    const [health, ca = ''] =
      {
        etcd: [`http://${address}:2381/health`],
        'pilothouse-apiserver': [secure, own.path('etc/kubernetes/pki/ca.crt')],
        haproxy: [own.translate('https://192.168.7.10:6443/readyz'), own.path('etc/kubernetes/pki/ca.crt')],
        pilothouse: [secure, own.path('var/lib/pilothouse/pki/ca.crt')],
      }[service] ?? []
    if (health === undefined) return
    await eventually(async () => {
      if (!own.service(service).isRunning)
        throw new Error(`${own.name}: ${service} ended:\n${own.service(service).log}`)
      // Asking costs time of the processor that what starts needs.
      await sleep(100)
      return (ca === '' || existsSync(ca)) && (await isWorking({ port: 0, health }, ca))
    }, `${own.name}: ${service} works`)
  }

  /** Runs a section's blocks, or some of them; those for `each` machine run on the one whose API server runs. */
  async function follow(section: string, [first, end]: readonly [number, number?] = [0]): Promise<string> {
    const own = blocks.filter((block) => block.section === section).slice(first, end)
    assert.notEqual(own.length, 0, `no section ${section}`)
    let output = ''
    for (const block of own) {
      const names = {
        every: [...machines.keys()],
        each: ['cp-1'],
        others: ['cp-2', 'cp-3'],
      }[block.on] ?? [block.on]
      output += (await Promise.all(names.map((name) => machine(name).run(block.text)))).join('')
      done.add(block)
    }
    return output
  }

  /** With no other identity than the token's. */
  const withToken = (bearer: string): string =>
    `--kubeconfig=/dev/null --certificate-authority=/etc/kubernetes/pki/ca.crt --server=https://192.168.7.10:6443 --token=${bearer}`
  /** HAProxy takes a second to see that a replica is back. */
  async function isBalanced(): Promise<void> {
    const own = machine('cp-1')
    const health = own.translate('https://192.168.7.10:6443/readyz')
    const ca = own.path('etc/kubernetes/pki/ca.crt')
    // By every replica behind it, and again and again: one that still stops takes connections and ends them.
    let inARow = 0
    await eventually(async () => {
      await sleep(100)
      inARow = (await isWorking({ port: 0, health }, ca)) ? inARow + 1 : 0
      return inARow >= 20
    }, 'the shared address is served')
  }
  const kubectl = (line: string): Promise<string> => machine('cp-1').run(`kubectl ${line}`)

  it('One machine, Grow, Install: the cluster has everything that the one machine had', async () => {
    await follow('Install', [0, 2])
    assert.match(await follow('One machine'), /readyz check passed/)
    const alone = '--kubeconfig=/var/lib/pilothouse/admin.kubeconfig'
    await kubectl(`${alone} create configmap early --from-literal=a=b`)
    await eventually(
      async () => (await kubectl(`${alone} get serviceaccount default --ignore-not-found`)) !== '',
      'there is a service account',
    )
    token = (await kubectl(`${alone} create token default --duration=1h`)).trim()
    await follow('Install', [2, 3])
    await follow('Grow from one machine to a cluster', [0, 1])
    await follow('Install', [3, 6])
    await follow('Grow from one machine to a cluster', [1])
    await follow('Install', [6, 7])
    await isBalanced()
    const output = await follow('Install', [7])
    assert.match(output, /readyz check passed/)
    assert.match(output, /^kubernetes +192\.0\.2\.1:6443 /m)
    assert.match(await kubectl('config view'), /server: https:\/\/127\.\d+\.\d+\.10:6443/)
    assert.match(await kubectl('get configmap early'), /^early /m)
    assert.match(await kubectl(`${withToken(token)} auth whoami`), /serviceaccount:default:default/)
    assert.equal(existsSync(machine('cp-2').path('root/shared.tar')), false)
  })

  it('Upgrade and Roll back: the release changes, written objects stay', async () => {
    const version = async (): Promise<string> => (await machine('cp-1').run('readlink /opt/pilothouse/current')).trim()
    await follow('Upgrade')
    assert.equal(await version(), '0.2.0')
    await follow('Roll back')
    await isBalanced()
    assert.equal(await version(), '0.1.0')
    assert.match(await kubectl('get configmap early'), /^early /m)
  })

  it('Rotate certificates and keys: new ones serve, tokens of the old key are accepted meanwhile', async () => {
    const certificate = (): string => readFileSync(machine('cp-1').path('etc/kubernetes/pki/apiserver.crt'), 'utf8')
    const before = certificate()
    await follow('Rotate certificates and keys')
    await isBalanced()
    assert.notEqual(certificate(), before)
    assert.match(await kubectl(`${withToken(token)} auth whoami`), /serviceaccount:default:default/)
    const header = JSON.parse(
      Buffer.from((await kubectl('create token default')).split('.')[0] ?? '', 'base64').toString(),
    )
    assert.equal(header.alg, 'RS256', 'the new key signs')
  })

  it('Replace a dead etcd member: three work again', async () => {
    await machine('cp-3').service('etcd').stop('SIGKILL')
    rmSync(machine('cp-3').path('var/lib/etcd'), { recursive: true })
    const output = await follow('Replace a dead etcd member')
    assert.match(output, /Member +\w+ removed from cluster/)
    assert.equal(output.match(/is healthy/g)?.length, 3)
  })

  it('Back up, Restore: all is as it was when the snapshot was taken', async () => {
    await follow('Back up')
    await kubectl('create configmap later --from-literal=a=b')
    await kubectl('delete configmap early')
    await follow('Restore')
    await isBalanced()
    assert.match(await kubectl('get configmap early'), /^early /m)
    assert.equal(await kubectl('get configmap later --ignore-not-found'), '')
  })

  it('a control plane hosted in another cluster: every object is accepted, strictly, and its pods keep to the restricted standard', async () => {
    const definition = machine('cp-1').path('root/servicemonitor.json')
    writeFileSync(definition, JSON.stringify(serviceMonitorDefinition))
    await kubectl(`apply -f ${definition}`)
    await kubectl('wait --for=condition=Established --timeout=20s crd/servicemonitors.monitoring.coreos.com')
    const output = await follow('Hosted in another cluster')
    assert.match(output, /servicemonitor\.monitoring\.coreos\.com\/controller-manager created/)
    assert.doesNotMatch(output, /[Ww]arning|would violate/)
    const pods = await kubectl(
      `apply --dry-run=server -f ${join(deploy, 'staticpods/kube-apiserver.yaml')} -f ${join(deploy, 'staticpods/kube-controller-manager.yaml')}`,
    )
    assert.equal(pods.match(/created \(server dry run\)/g)?.length, 2)
    const replicas = "-n pilothouse get deployment apiserver -o jsonpath='{.spec.replicas}'"
    assert.equal(await kubectl(replicas), '5')
    assert.match(output, /servicemonitor\.monitoring\.coreos\.com\/apiserver configured/, 'by the chart')
    const servers = '{.spec.template.spec.containers[0].args[1]}'
    assert.match(
      await kubectl(`-n pilothouse get deployment apiserver -o jsonpath='${servers}'`),
      /^--etcd-servers=https:\/\/etcd-0\.etcd:2379,/,
    )
    const wrong = machine('cp-1').path('root/wrong.yaml')
    const monitors = readFileSync(join(deploy, 'kustomize/overlays/monitored/servicemonitor.yaml'), 'utf8')
    writeFileSync(wrong, monitors.replace('interval', 'intervall'))
    await assert.rejects(kubectl(`-n pilothouse apply -f ${wrong}`), /unknown field "spec.endpoints\[0\].intervall"/)
  })

  it('static pods: their commands start in a read-only image, and their probes are answered', async function () {
    if (!canUnshare()) return this.skip()
    const image = join(scratch.path, 'image')
    makeImage(image)
    const own = machine('cp-3')
    const text = readFileSync(join(deploy, 'staticpods/kube-apiserver.yaml'), 'utf8')
      .replace(
        '--advertise-address=192.168.7.11',
        '--advertise-address=192.0.2.3\n        - --bind-address=192.168.7.13',
      )
      .replaceAll('192.168.7.11', '192.168.7.13')
    const apiserver = readStaticPod(own.translateAddresses(text), own)
    const child = startInImage(image, apiserver.command, apiserver)
    let output = ''
    child.stdout?.on('data', (chunk) => (output += String(chunk)))
    child.stderr?.on('data', (chunk) => (output += String(chunk)))
    const ca = own.path('etc/kubernetes/pki/ca.crt')
    try {
      for (const health of apiserver.probes)
        await eventually(async () => {
          if (child.exitCode !== null) throw new Error(output)
          return await isWorking({ port: 0, health }, ca)
        }, `${health} is answered`)
    } finally {
      child.kill()
    }
    const version = startInImage(image, ['pilothouse', 'version'], { user: '65532:65532' })
    assert.equal(await new Promise((resolve) => version.once('close', resolve)), 0)
  })

  it('leaves no command of the page out', () => {
    assert.deepEqual(
      blocks.filter((block) => !done.has(block)).map(({ section, line }) => `line ${line}, ${section}`),
      [],
    )
  })
})
