import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findNodePrograms, type NodePrograms } from '../../hack/node/programs.ts'
import { nodeObstacle } from '../../hack/node/requirements.ts'
import { findEtcd, findEtcdctl, findKubectl } from '../../hack/programs.ts'
import { scratchFolder } from '../support/apiserver.ts'
import { type GuideBlock, readGuide } from '../support/deploy/guide.ts'
import { eventually } from '../support/eventually.ts'
import { debianRoot, writeSoftware } from './kubeadm/debianroot.ts'
import { writeEtcdImage, writePauseImage } from './kubeadm/images.ts'
import { Lab, type Machine } from './kubeadm/machine.ts'
import { createPageShell, type StandIn } from './kubeadm/pageshell.ts'
import { createWorkshop } from './kubeadm/workshop.ts'

const page = join(import.meta.dirname, '../../deploy/staticpods/README.md')
const addresses = { 'cp-1': 11, 'cp-2': 12, 'w-1': 21 } as const
type Name = keyof typeof addresses
const names = Object.keys(addresses) as Name[]
const image = 'pilothouse:v1.36.0_pilothouse.0.1.0'
const laterImage = 'pilothouse:v1.36.0_pilothouse.0.2.0'

describe('deploy/staticpods/README.md, followed by kubeadm on three bare Debian systems', function () {
  this.timeout(230_000)
  const scratch = scratchFolder('kubeadm')
  const blocks = readGuide(readFileSync(page, 'utf8'))
  const done = new Set<GuideBlock>()
  const machines = new Map<string, Machine>()
  const shells = new Map<string, (text: string) => Promise<string>>()
  let lab: Lab | undefined
  let pauseImage = ''
  const machine = (name: Name): Machine => machines.get(name) ?? assert.fail(`there is no machine ${name}`)

  before(async function () {
    // Where it is the first, it builds kubeadm.
    this.timeout(1_200_000)
    const obstacle = nodeObstacle()
    const programs = obstacle === undefined ? await findNodePrograms() : undefined
    const [etcd, etcdctl, kubectl] = [await findEtcd(), await findEtcdctl(), await findKubectl()]
    if (!programs || !etcd || !etcdctl || !kubectl) {
      process.stdout.write(`kubeadm is NOT tried: ${obstacle ?? 'its programs are missing'}\n`)
      return this.skip()
    }
    const archives = prepare(programs, { etcd, etcdctl, kubectl })
    lab = await Lab.open()
    await Promise.all(names.map((name) => boot(name, archives)))
    shells.set('workshop', createWorkshop(join(scratch.path, 'workshop'), scp('workshop')))
    for (const name of names) shells.set(name, shellOf(name, programs.release))
  })
  after(async () => {
    await lab?.close()
    scratch.remove()
  })

  /** Software of the machines, and the archives of the images that kubeadm names. */
  function prepare(
    programs: NodePrograms,
    { etcd, etcdctl, kubectl }: Record<'etcd' | 'etcdctl' | 'kubectl', string>,
  ): string[] {
    const line = ['config', 'images', 'list', `--kubernetes-version=v${programs.release.join('.')}`]
    const listed = execFileSync(programs.kubeadm, line, { encoding: 'utf8' }).trim().split('\n')
    const named = (end: string): string => listed.find((one) => one.includes(`/${end}:`)) ?? assert.fail(end)
    pauseImage = named('pause')
    const onPath = spawnSync('sh', ['-c', `command -v ${kubectl}`], { encoding: 'utf8' }).stdout.trim()
    writeSoftware(join(scratch.path, 'software'), {
      programs: { kubelet: programs.kubelet, kubeadm: programs.kubeadm, kubectl: onPath, etcdctl },
      pauseImage,
    })
    const images = join(scratch.path, 'images')
    mkdirSync(images)
    return [writePauseImage(pauseImage, programs.busybox, images), writeEtcdImage(named('etcd'), etcd, images)]
  }

  async function boot(name: Name, archives: readonly string[]): Promise<void> {
    assert.ok(lab)
    const folders = [join(scratch.path, 'software'), debianRoot()]
    const one = await lab.boot(name, addresses[name], folders, join(scratch.path, `${name}.log`))
    machines.set(name, one)
    await one.run(
      'sysctl -w net.ipv4.ip_forward=1 && systemctl start containerd && until ctr version; do sleep 0.3; done',
    )
    for (const archive of archives) {
      cpSync(archive, one.path('/tmp/image.tar'))
      await one.run('ctr --namespace=k8s.io images import /tmp/image.tar && rm /tmp/image.tar')
    }
    // What keepalived or a load balancer would do.
    if (name === 'cp-1') await one.run('ip address add 192.168.7.10/24 dev eth0')
  }

  function shellOf(name: Name, [, minor = 0, patch]: readonly number[]): (text: string) => Promise<string> {
    const older: readonly (readonly [RegExp, string])[] = [
      [/--patches=/g, '--experimental-patches='],
      [/kubeadm upgrade node/g, '$& --kubeconfig=/etc/kubernetes/admin.conf'],
    ]
    return createPageShell({
      run: (script) => machine(name).run(script),
      replacements: [
        [/--kubernetes-version=v1\.36\.0/g, `--kubernetes-version=v1.${minor}.${patch}`],
        // There is no registry.
        [/kubeadm init (?=--)|--control-plane |kubeadm upgrade node/g, '$& --ignore-preflight-errors=ImagePull '],
        ...(minor < 22 ? older : []),
      ],
      standIns: { scp: scp(name) },
      state: '/run/shell',
      home: '/root',
    })
  }

  /** Between machines that can open no connection to each other's files. */
  function scp(from: 'workshop' | Name): StandIn {
    return (words) => {
      const [target = '', ...sources] = words
        .slice(1)
        .filter((word) => word !== '-r')
        .reverse()
      const [name = '', path = ''] = target.split(':')
      for (const source of sources) {
        const here =
          from === 'workshop'
            ? join(
                source.startsWith('/')
                  ? ''
                  : readFileSync(join(scratch.path, 'workshop/.shell/directory'), 'utf8').trim(),
                source,
              )
            : machine(from).path(source)
        cpSync(here, machine(name as Name).path(join(path.slice(path.indexOf('/root')), basename(source))), {
          recursive: true,
        })
      }
    }
  }

  async function follow(section: string, ...indexes: readonly number[]): Promise<string> {
    const own = blocks.filter((block) => block.section === section)
    let output = ''
    for (const index of indexes) {
      const block = own[index] ?? assert.fail(`${section} has no block ${index}`)
      const on = block.on === 'control-planes' ? ['cp-1', 'cp-2'] : [block.on]
      for (const name of on) output += (await shells.get(name)?.(block.text)) ?? assert.fail(name)
      done.add(block)
    }
    return output
  }

  const kubectl = async (line: string, on: Name = 'cp-1'): Promise<string> =>
    await machine(on).run(`kubectl --kubeconfig=/etc/kubernetes/admin.conf ${line}`)
  const jsonPath = async (what: string, path: string): Promise<string> =>
    await kubectl(`get ${what} -o jsonpath='${path}'`)

  /** Whether all three programs run on a machine from this image, by the mirror pods. (Kubelets of 1.20 call them ready a minute later.) */
  async function runs(on: Name, wanted: string): Promise<unknown> {
    // The runtime has one name for two tags of the same image: the wanted one is in the manifest.
    const columns = ':metadata.name,:.spec.containers[0].image,:.status.containerStatuses[0].state.running.startedAt'
    const seen = await kubectl(
      `get pods -n kube-system -l tier=control-plane --no-headers -o 'custom-columns=${columns}'`,
    )
    const isRunning = (component: string): boolean =>
      seen.split('\n').some((line) => {
        const [name, manifestImage, since] = line.split(/ +/)
        return name === `kube-${component}-${on}` && manifestImage === wanted && since !== '<none>'
      })
    return ['apiserver', 'controller-manager', 'scheduler'].every(isRunning) || seen
  }

  it('Make the image, The first control plane: every phase of init succeeds, on static pods of our image', async () => {
    await follow('Make the image', 0, 1)
    const output = await follow('The first control plane', 0)
    assert.match(output, /Your Kubernetes control-plane has initialized successfully!/)
    assert.match(output, /^\[addons\] Applied essential addon: kube-proxy/m)
    await eventually(() => runs('cp-1', image), 'the static pods run')
    assert.match(await jsonPath('node cp-1', '{.metadata.labels}'), /"node-role.kubernetes.io\/control-plane":""/)
    assert.match(await jsonPath('node cp-1', '{.spec.taints}'), /"node-role.kubernetes.io\/(?:master|control-plane)"/)
  })

  it('Further machines: a worker and a second control plane join by token, their kubelets with certificates of our signer', async () => {
    for (const [index, name] of names.entries())
      machine(name).write('/etc/cni/net.d/10-pods.conflist', podNetwork(index))
    await follow('Further machines', 0, 1, 2)
    const output = await follow('Further machines', 3)
    assert.deepEqual([...output.matchAll(/^\S+-\d(?= )/gm)].map(String), names)
    await eventually(() => runs('cp-2', image), 'the static pods of the second control plane run')
    await kubectl('wait --for=condition=Ready --timeout=60s node --all')
    // A kubelet whose request was not answered in time, while etcd took a member in, has made another.
    const requests = await kubectl('get csr --no-headers')
    for (const line of requests.trim().split('\n'))
      assert.match(
        line,
        /kube-apiserver-client-kubelet +system:(?:bootstrap:\w+|node:[\w-]+) +<none> +Approved,Issued$/,
      )
    assert.equal((await kubectl('get --raw=/api/v1/nodes/w-1', 'cp-2')).includes('"name":"w-1"'), true)
    assert.equal(await members(), 2)
    const token = await machine('cp-1').run('kubeadm token list')
    assert.match(token, /authentication,signing .*system:bootstrappers:kubeadm:default-node-token/)
  })

  const podNetwork = (index: number): string =>
    JSON.stringify({
      cniVersion: '0.4.0',
      name: 'pods',
      plugins: [{ type: 'ptp', ipam: { type: 'host-local', ranges: [[{ subnet: `10.244.${index}.0/24` }]] } }],
    })

  const members = async (): Promise<number> => {
    const certificates =
      '--cacert=/etc/kubernetes/pki/etcd/ca.crt --cert=/etc/kubernetes/pki/etcd/peer.crt --key=/etc/kubernetes/pki/etcd/peer.key'
    const body = await machine('cp-1').run(`etcdctl ${certificates} member list`)
    return body.trim().split('\n').length
  }

  it('a Deployment runs on the worker, and its logs are read through the second API server', async () => {
    const command = 'sh -c "echo told && exec sleep 1000"'
    await kubectl(`create deployment talker --image=${pauseImage} -- /bin/busybox ${command}`)
    await kubectl('rollout status deployment/talker --timeout=90s')
    assert.equal(await jsonPath('pods -l app=talker', '{.items[*].spec.nodeName}'), 'w-1')
    assert.equal(await kubectl('logs deployment/talker', 'cp-2'), 'told\n')
  })

  it('a bootstrap token opens what joining needs and nothing else, and nothing at all once it is deleted', async () => {
    const token = (await machine('cp-1').run('kubeadm token create')).trim().split('\n').at(-1) ?? ''
    const [id = ''] = token.split('.')
    const server = '--server=https://192.168.7.10:6443 --certificate-authority=/etc/kubernetes/pki/ca.crt'
    const withToken = async (line: string): Promise<string> =>
      await machine('cp-1').run(`kubectl --kubeconfig=/dev/null ${server} --token=${token} ${line}`)
    const isSigned = (): boolean =>
      anonymously('/api/v1/namespaces/kube-public/configmaps/cluster-info').includes(`jws-kubeconfig-${id}`)
    await eventually(isSigned, 'cluster-info is signed with the token')
    assert.match(anonymously('/api/v1/namespaces/kube-system/configmaps/kubeadm-config'), /^403 /)
    await withToken('get configmap kubeadm-config -n kube-system')
    const own = `get secret bootstrap-token-${id} -n kube-system`
    for (const line of [own, 'get secrets -A', 'create configmap x', 'get pods -A'])
      await assert.rejects(withToken(line), /\(Forbidden\)|is forbidden/, line)
    await machine('cp-1').run(`kubeadm token delete ${id}`)
    await eventually(() => !isSigned(), 'the signature goes with the token')
    // Reviews of tokens are remembered for ten seconds.
    const isRefused = (): Promise<boolean> =>
      withToken('get configmap kubeadm-config -n kube-system').then(
        () => false,
        (error: Error) => /must be logged in|Unauthorized/.test(error.message),
      )
    await eventually(isRefused, 'the token is refused')
  })

  /** Status and body of a request without credentials, which kubectl can't make. */
  function anonymously(path: string): string {
    const script = `require('https').get(process.argv[1], { rejectUnauthorized: false }, (answer) => {
      process.stdout.write(answer.statusCode + ' ')
      answer.pipe(process.stdout)
    })`
    const network = `--net=/proc/${machine('cp-1').pid}/ns/net`
    const line = [network, process.execPath, '-e', script, `https://192.168.7.10:6443${path}`]
    return execFileSync('nsenter', line, { encoding: 'utf8' })
  }

  it('Certificates: all are renewed, and everything works with the new ones', async () => {
    const output = await follow('Certificates', 0)
    assert.match(output, /^apiserver-kubelet-client .* ca +no/m)
    assert.match(output, /^certificate for serving the Kubernetes API renewed$/m)
    assert.match(await follow('Certificates', 1), /ok$/)
    await eventually(() => runs('cp-1', image), 'the static pods run again')
    await eventually(
      async () => (await kubectl('logs deployment/talker')) === 'told\n',
      'the new certificate opens kubelets',
    )
  })

  it('Another release: kubeadm exchanges the static pods of both machines, one after the other', async () => {
    const plan = await machine('cp-1').run('kubeadm upgrade plan')
    assert.match(plan, /^\[upgrade\/versions\] Cluster version: v?1\.36\.0/m)
    const archive = join(scratch.path, 'workshop/later.tar')
    const script = join(
      scratch.path,
      'workshop/image/opt/pilothouse/node_modules/pilothouse/deploy/container/archive.sh',
    )
    execFileSync('sh', [script, join(scratch.path, 'workshop/image'), laterImage, archive])
    for (const name of ['cp-1', 'cp-2'] as const) cpSync(archive, machine(name).path('/root/pilothouse-0.2.0.tar'))
    const output = await follow('Another release', 0, 1)
    assert.match(output, /Component "kube-apiserver" upgraded successfully!/)
    assert.match(output, /The configuration for this node was successfully updated!/)
    await eventually(() => runs('cp-2', laterImage), 'the new static pods of cp-2 run')
    await follow('Another release', 2)
    await eventually(() => runs('cp-1', laterImage), 'the new static pods of cp-1 run')
    assert.match(await machine('w-1').run('kubeadm upgrade node'), /successfully updated!/)
  })

  it('Take a machine out: reset leaves nothing of the control plane, and the other one works on', async () => {
    const output = await follow('Take a machine out', 0, 1, 2)
    assert.match(output, /node "cp-2" deleted/)
    assert.equal(await machine('cp-2').run('ctr --namespace=k8s.io containers list --quiet'), '')
    assert.equal(
      await machine('cp-2').run(
        'find /etc/kubernetes/pki /etc/kubernetes/manifests /var/lib/etcd /var/lib/kubelet -type f',
      ),
      '',
    )
    assert.equal(await members(), 1)
    assert.match(await kubectl('get --raw=/readyz'), /^ok$/)
    await machine('cp-1').run('kubeadm reset --force')
    assert.equal(await machine('cp-1').run('ctr --namespace=k8s.io containers list --quiet'), '')
  })

  it('leaves no command of the page out', () => {
    assert.deepEqual(
      blocks.filter((block) => !done.has(block)).map(({ section, line }) => `line ${line}, ${section}`),
      [],
    )
  })
})
