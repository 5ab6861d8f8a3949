import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { findKeepalived } from '../../hack/programs.ts'
import { scratchFolder } from '../support/apiserver.ts'
import { lintContainerfile } from '../support/deploy/containerfile.ts'
import { findKubectl } from '../support/kubectl.ts'
import { runProgram } from '../support/program.ts'

const deploy = join(import.meta.dirname, '../../deploy')
/** How exposed a service may be at most, in tenths, as systemd-analyze counts: 0 is not at all, 100 is without any protection. */
const exposureMax = '15'

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

  it('are valid for systemd, every line of them', () => {
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
  it('is valid for keepalived', async function () {
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

describe('the Containerfile', () => {
  const text = readFileSync(join(deploy, 'container/Containerfile'), 'utf8')

  it('is pinned, runs as an unprivileged user, and needs no shell', () => {
    assert.deepEqual(lintContainerfile(text), [])
  })

  const wrong: readonly (readonly [string, string, string, RegExp])[] = [
    ['a moving base', 'node:24.11.1-bookworm-slim', 'node:latest', /is not pinned/],
    ['root', 'USER 65532:65532', 'USER 0', /no numbered user but root/],
    ['a user by name', 'USER 65532:65532', 'USER nonroot', /no numbered user but root/],
    ['no user', 'USER 65532:65532\n', '', /no numbered user but root/],
    ['a shell', 'ENTRYPOINT ["/usr/bin/pilothouse"]', 'ENTRYPOINT pilothouse', /needs a shell/],
    ['a secret', 'ENV PATH=/usr/bin', 'ENV PATH=/usr/bin REGISTRY_TOKEN=x', /hold a secret/],
    ['a download', 'COPY pilothouse.tgz', 'ADD pilothouse.tgz', /COPY says/],
    ['a stage that is not there', '--from=build', '--from=builder', /no stage builder/],
  ]
  for (const [what, from, to, problem] of wrong)
    it(`a file with ${what} is found`, () => {
      assert.ok(text.includes(from))
      assert.match(lintContainerfile(text.replace(from, to)).join('\n'), problem)
    })
})

interface StaticPodManifest {
  metadata: { name: string }
  spec: {
    terminationGracePeriodSeconds?: number
    containers: { image: string; command: string[]; securityContext?: unknown; volumeMounts: { name: string }[] }[]
    volumes: { name: string }[]
  }
}

describe('static pods and the kubeadm configuration', function () {
  this.timeout(60_000)
  const read = (name: string): string => readFileSync(join(deploy, 'staticpods', name), 'utf8')
  const components = ['apiserver', 'controller-manager', 'scheduler']

  for (const component of components)
    it(`kube-${component}: the patch makes kubeadm's manifest into this one`, function () {
      if (!findKubectl()) return this.skip()
      const scratch = scratchFolder('staticpods')
      try {
        const wanted = parse(read(`kube-${component}.yaml`)) as StaticPodManifest
        const file = join(scratch.path, 'kubeadm.json')
        writeFileSync(file, JSON.stringify(asKubeadmMakesIt(wanted, component)))
        const patch = join(deploy, `staticpods/patches/kube-${component}+json.yaml`)
        const line = ['patch', '--local', '--type=json', '-f', file, `--patch-file=${patch}`, '-o', 'json']
        const { status, stdout, stderr } = spawnSync('kubectl', line, { encoding: 'utf8' })
        assert.equal(status, 0, stderr)
        assert.deepEqual(JSON.parse(stdout), wanted)
      } finally {
        scratch.remove()
      }
    })

  /** The stock image and command, without what the patch adds. */
  function asKubeadmMakesIt(wanted: StaticPodManifest, component: string): StaticPodManifest {
    const pod = structuredClone(wanted)
    const [container] = pod.spec.containers
    assert.ok(container)
    delete container.securityContext
    delete pod.spec.terminationGracePeriodSeconds
    container.image = `kube-${component}:v1.36.0`
    container.command[0] = `kube-${component}`
    container.command = container.command.filter((flag) => !flag.startsWith('--peer-ca-file='))
    const isOwn = ({ name }: { name: string }): boolean => name === 'tmp'
    container.volumeMounts = container.volumeMounts.filter((mount) => !isOwn(mount))
    pod.spec.volumes = pod.spec.volumes.filter((volume) => !isOwn(volume))
    return pod
  }

  for (const component of components)
    it(`kube-${component}: every flag of the manifest is one of the program`, async () => {
      const { command } = (parse(read(`kube-${component}.yaml`)) as StaticPodManifest).spec.containers[0] ?? {
        command: [],
      }
      assert.equal(command[0], `pilothouse-${component}`)
      const { stdout } = await runProgram(`cmd/${component}/main.ts`, ['--help'])
      const unknown = command.slice(1).filter((flag) => !stdout.includes(` ${flag.split('=')[0]} `))
      assert.deepEqual(unknown, [])
    })

  it('the tag of their image is the version that the server reports: kubeadm reads the version of the cluster from it', async () => {
    const { stdout } = await runProgram('cmd/pilothouse/main.ts', ['version'])
    const version = stdout.trim().replace('Pilothouse ', '')
    for (const component of components)
      for (const file of [`kube-${component}.yaml`, `patches/kube-${component}+json.yaml`])
        assert.match(read(file), new RegExp(` pilothouse:${version.replace('+', '_')}$`, 'm'), file)
  })

  it('kubeadm.yaml names the patches, and flags that the API server has', async () => {
    const [init, cluster] = parseAllDocuments(read('kubeadm.yaml')).map(
      (document) => document.toJS() as KubeadmDocument,
    )
    assert.deepEqual([init?.kind, cluster?.kind], ['InitConfiguration', 'ClusterConfiguration'])
    for (const document of [init, cluster]) assert.equal(document?.apiVersion, 'kubeadm.k8s.io/v1beta4')
    assert.equal(init?.patches?.directory, '/etc/kubernetes/patches')
    const { stdout } = await runProgram('cmd/apiserver/main.ts', ['--help'])
    for (const { name } of cluster?.apiServer?.extraArgs ?? []) assert.ok(stdout.includes(` --${name} `), name)
  })
})

interface KubeadmDocument {
  readonly apiVersion: string
  readonly kind: string
  readonly patches?: { readonly directory: string }
  readonly apiServer?: { readonly extraArgs: readonly { readonly name: string; readonly value: string }[] }
}
