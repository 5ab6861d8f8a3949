import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { findHelmTemplate } from '../../hack/helm/find.ts'
import { findKubectl } from '../support/kubectl.ts'
import { runProgram } from '../support/program.ts'

const deploy = join(import.meta.dirname, '../../deploy')
const chart = join(deploy, 'helm/pilothouse')

interface Rendered {
  readonly kind: string
  readonly metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  readonly data?: Record<string, string>
  readonly spec: {
    type?: string
    replicas?: number
    template: {
      metadata: unknown
      spec: {
        containers: { image: string; imagePullPolicy?: string; args: string[]; env?: unknown; envFrom?: unknown }[]
      } & Record<string, unknown>
    }
  }
}

describe('the chart', function () {
  this.timeout(360_000)
  let program = ''
  before(function () {
    program = findHelmTemplate() ?? ''
    if (program === '') this.skip()
  })

  const servers = ['https://etcd-0.etcd:2379', 'https://etcd-1.etcd:2379', 'https://etcd-2.etcd:2379']

  function render(
    values: object,
    release = 'pilothouse',
  ): { objects: Rendered[]; stderr: string; status: number | null } {
    const { stdout, stderr, status } = spawnSync(program, [chart, release, 'pilothouse'], {
      encoding: 'utf8',
      input: JSON.stringify(values),
    })
    return { objects: read(stdout), stderr, status }
  }

  const read = (text: string): Rendered[] => parseAllDocuments(text).map((document) => document.toJS() as Rendered)

  function find(objects: readonly Rendered[], kind: string, name: string): Rendered {
    return (
      objects.find((object) => object.kind === kind && object.metadata.name === name) ??
      assert.fail(`no ${kind} ${name}`)
    )
  }

  const argumentsOf = (objects: readonly Rendered[], name: string): string[] =>
    find(objects, 'Deployment', name).spec.template.spec.containers[0]?.args ?? []

  /** By kind and name, without the marks of the tool that made them. */
  function comparable(objects: readonly Rendered[]): Record<string, Rendered> {
    const settings = objects.find(({ kind }) => kind === 'ConfigMap')?.data ?? {}
    const kept = objects.filter(({ kind }) => kind !== 'ConfigMap' && kind !== 'Namespace')
    return Object.fromEntries(
      kept.map((object) => {
        const own = structuredClone(object)
        for (const name of Object.keys(own.metadata.labels ?? {}))
          if (name !== 'app.kubernetes.io/name') delete own.metadata.labels?.[name]
        if (Object.keys(own.metadata.labels ?? {}).length === 0) delete own.metadata.labels
        // Defaults, which only one of the two writes down.
        if (own.kind === 'Service' && own.spec.type === 'ClusterIP') delete own.spec.type
        for (const container of own.kind === 'Deployment' ? own.spec.template.spec.containers : []) {
          if (container.imagePullPolicy === 'IfNotPresent') delete container.imagePullPolicy
          container.args = container.args.map((flag) =>
            flag.replace(/\$\(([A-Z_]+)\)/, (reference, name: string) => settings[name] ?? reference),
          )
          delete container.envFrom
        }
        return [`${object.kind}/${object.metadata.name}`, own]
      }),
    )
  }

  function kustomize(folder: string): Rendered[] {
    const { stdout, stderr, status } = spawnSync('kubectl', ['kustomize', join(deploy, 'kustomize', folder)], {
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
    return read(stdout)
  }

  it('renders the objects that Kustomize makes', function () {
    if (!findKubectl()) return this.skip()
    const { objects, stderr } = render({ etcd: { servers } })
    assert.equal(objects.length, 6, stderr)
    assert.deepEqual(comparable(objects), comparable(kustomize('base')))
    assert.match(stderr, /^The control plane pilothouse starts: 3 API servers, 2 controller managers\./)
  })

  it('renders the ServiceMonitors of the monitored overlay, with labels that a Prometheus selects', function () {
    if (!findKubectl()) return this.skip()
    const serviceMonitor = { enabled: true, labels: { release: 'kube-prometheus-stack' } }
    const { objects, stderr } = render({ etcd: { servers }, apiserver: { replicas: 5 }, serviceMonitor })
    assert.equal(objects.length, 8, stderr)
    assert.deepEqual(comparable(objects), comparable(kustomize('overlays/monitored')))
    for (const name of ['apiserver', 'controller-manager'])
      assert.equal(find(objects, 'ServiceMonitor', name).metadata.labels?.['release'], 'kube-prometheus-stack')
  })

  it('uses every value where it belongs', () => {
    const pods = {
      podAnnotations: { team: 'platform' },
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'dedicated', operator: 'Exists', effect: 'NoSchedule' }],
      priorityClassName: 'system-cluster-critical',
      // null takes a default away.
      resources: { limits: { memory: '2Gi' }, requests: null },
    }
    const { objects, stderr } = render(
      {
        image: {
          repository: 'registry.example.com/pilothouse',
          tag: '1.2.3',
          pullPolicy: 'Always',
          pullSecrets: ['pull'],
        },
        etcd: { servers: servers.slice(0, 1) },
        serviceClusterIPRange: '10.0.0.0/16,fd00::/108',
        // A text that YAML would read otherwise.
        serviceAccountIssuer: 'https://issuer.example.com #1: a',
        secrets: { pki: 'own-pki', controllerManager: 'own-manager' },
        apiserver: {
          ...pods,
          replicas: 2,
          extraArgs: ['--feature-gates=CBORServingAndStorage=true'],
          service: { type: 'LoadBalancer', port: 443, annotations: { internal: 'true' } },
        },
        controllerManager: { ...pods, replicas: 1, extraArgs: ['--controllers=*,-ttl'] },
        networkPolicy: { enabled: false },
      },
      'other',
    )
    assert.equal(objects.length, 5, stderr)
    const args = argumentsOf(objects, 'apiserver')
    for (const flag of [
      '--etcd-servers=https://etcd-0.etcd:2379',
      '--service-cluster-ip-range=10.0.0.0/16,fd00::/108',
      '--service-account-issuer=https://issuer.example.com #1: a',
    ])
      assert.ok(args.includes(flag), flag)
    assert.equal(args.at(-1), '--feature-gates=CBORServingAndStorage=true')
    assert.equal(argumentsOf(objects, 'controller-manager').at(-1), '--controllers=*,-ttl')
    for (const [name, replicas, secret] of [
      ['apiserver', 2, 'own-pki'],
      ['controller-manager', 1, 'own-manager'],
    ] as const) {
      const { metadata, spec } = find(objects, 'Deployment', name)
      assert.equal(metadata.labels?.['app.kubernetes.io/instance'], 'other')
      assert.equal(spec.replicas, replicas)
      assert.deepEqual(spec.template.metadata, {
        labels: { 'app.kubernetes.io/name': name },
        annotations: pods.podAnnotations,
      })
      const pod = spec.template.spec
      assert.deepEqual(
        [pod['nodeSelector'], pod['tolerations'], pod['priorityClassName'], pod['imagePullSecrets']],
        [pods.nodeSelector, pods.tolerations, pods.priorityClassName, [{ name: 'pull' }]],
      )
      const [container] = pod.containers
      assert.equal(container?.image, 'registry.example.com/pilothouse:1.2.3')
      assert.equal(container.imagePullPolicy, 'Always')
      assert.deepEqual((container as { resources?: unknown }).resources, { limits: { memory: '2Gi' } })
      const [volume] = pod['volumes'] as { secret: { secretName: string } }[]
      assert.equal(volume?.secret.secretName, secret)
    }
    const service = find(objects, 'Service', 'apiserver')
    assert.deepEqual((service.metadata as { annotations?: unknown }).annotations, { internal: 'true' })
    assert.deepEqual(service.spec, {
      type: 'LoadBalancer',
      selector: { 'app.kubernetes.io/name': 'apiserver' },
      ports: [{ name: 'https', port: 443, targetPort: 'https' }],
    })
  })

  const refused: readonly (readonly [string, object, RegExp])[] = [
    ['no etcd', {}, /etcd\.servers: Array must have at least 1 items/],
    ['etcd without TLS', { etcd: { servers: ['http://etcd:2379'] } }, /etcd\.servers\.0: Does not match pattern/],
    ['two addresses in one', { etcd: { servers: ['https://a:1,https://b:2'] } }, /etcd\.servers\.0: Does not match/],
    ['a name that is none', { apiserver: { replica: 2 } }, /apiserver: Additional property replica is not allowed/],
    ['no replicas', { apiserver: { replicas: 0 } }, /apiserver\.replicas: Must be greater than or equal to 1/],
    ['a flag without dashes', { apiserver: { extraArgs: ['v=4'] } }, /apiserver\.extraArgs\.0: Does not match pattern/],
    ['an unknown type of Service', { apiserver: { service: { type: 'Headless' } } }, /service\.type must be one of/],
    ['a range that is none', { serviceClusterIPRange: '10.96.0.0' }, /serviceClusterIPRange: Does not match pattern/],
    ['a Secret without a name', { secrets: { pki: '' } }, /secrets\.pki: String length must be greater/],
  ]
  for (const [what, values, why] of refused)
    it(`refuses values with ${what}`, () => {
      const { stderr, status, objects } = render({
        etcd: { servers },
        ...values,
        ...(what === 'no etcd' && { etcd: {} }),
      })
      assert.deepEqual([status, objects.length], [1, 0])
      assert.match(stderr, why)
    })

  it('every default of values.yaml is described by the schema', () => {
    const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')) as Schema
    const missing: string[] = []
    const visit = (value: unknown, own: Schema | undefined, path: string): void => {
      if (own === undefined) missing.push(path)
      else if (own.properties !== undefined)
        for (const [name, inner] of Object.entries(value as object))
          visit(inner, own.properties[name], `${path}.${name}`)
    }
    visit(parse(readFileSync(join(chart, 'values.yaml'), 'utf8')), schema, '')
    assert.deepEqual(missing, [])
  })

  for (const component of ['apiserver', 'controller-manager'])
    it(`${component}: every flag is one of the program`, async () => {
      const { stdout } = await runProgram(`cmd/${component}/main.ts`, ['--help'])
      const args = argumentsOf(render({ etcd: { servers } }).objects, component)
      assert.ok(args.length > 5)
      const unknown = args.filter((flag) => !stdout.includes(` ${flag.split('=')[0]} `))
      assert.deepEqual(unknown, [])
    })
})

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
}
