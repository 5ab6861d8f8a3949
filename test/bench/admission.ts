// Validating admission policies: what 50 of them, of two expressions and a variable each, add to the creation of a plain
// ConfigMap of 1 KB, and what 500 add that are about another resource. The figures are the server's own CPU.
import { createClient, type Target } from './client.ts'
import { cpuMicroseconds } from './process.ts'

const objects = 3000
const atOnce = 32
const namespace = 'bench-admission'
const registration = '/apis/admissionregistration.k8s.io/v1'
const configMaps = `/api/v1/namespaces/${namespace}/configmaps`

function configMap(name: string, data: object = {}): string {
  const payload = 'x'.repeat(900)
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { payload, ...data } })
}

function policy(name: string, resource: string): string {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: [resource] }
  return JSON.stringify({
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      variables: [{ name: 'size', expression: 'object.data.map(key, object.data[key].size()).sum()' }],
      validations: [
        { expression: 'variables.size < 100000' },
        { expression: `!('${name}' in object.data)`, messageExpression: `'${name} in ' + object.metadata.name` },
      ],
    },
  })
}

export async function benchAdmission(
  target: Target,
  record: (name: string, cost: string, more: string) => void,
): Promise<void> {
  const client = createClient(target, atOnce)
  const request = async (method: string, path: string, body?: string): Promise<number> =>
    (await client.request(method, path, body)).status

  /** Microseconds of the server's CPU for each creation. */
  async function creation(tag: string, count = objects): Promise<number> {
    const before = cpuMicroseconds(target.pid)
    let next = 0
    const worker = async (): Promise<void> => {
      while (next < count) {
        const status = await request('POST', configMaps, configMap(`${tag}-${next++}`))
        if (status !== 201) throw new Error(`a ConfigMap was answered ${status}`)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    return Math.round((cpuMicroseconds(target.pid) - before) / count)
  }

  async function withPolicies(count: number, resource: string, run: () => Promise<void>): Promise<void> {
    const nameOf = (index: number): string => `bench-${resource}-${index}`
    for (let index = 0; index < count; index++) {
      const spec = { policyName: nameOf(index), validationActions: ['Deny'] }
      const binding = JSON.stringify({ metadata: { name: nameOf(index) }, spec })
      await request('POST', `${registration}/validatingadmissionpolicies`, policy(nameOf(index), resource))
      await request('POST', `${registration}/validatingadmissionpolicybindings`, binding)
    }
    const probe = JSON.stringify({ metadata: { name: 'probe' }, data: { [nameOf(count - 1)]: '' } })
    const isInForce = async (): Promise<boolean> =>
      (await request('POST', `/api/v1/namespaces/${namespace}/${resource}?dryRun=All`, probe)) === 422
    while (!(await isInForce())) await new Promise((resolve) => setTimeout(resolve, 50))
    await run()
    for (let index = 0; index < count; index++)
      for (const plural of ['validatingadmissionpolicybindings', 'validatingadmissionpolicies'])
        await request('DELETE', `${registration}/${plural}/${nameOf(index)}`)
    while (await isInForce()) await new Promise((resolve) => setTimeout(resolve, 50))
  }

  await request('POST', '/api/v1/namespaces', JSON.stringify({ metadata: { name: namespace } }))
  await creation('warm', objects)
  const plain = await creation('plain')
  record('create ConfigMap, 1 KB', `${plain} µs`, '')
  await withPolicies(50, 'configmaps', async () => {
    await creation('warm-policies')
    const cost = await creation('policies')
    record('with 50 policies', `${cost} µs`, `adds ${((cost - plain) / plain).toFixed(2)} of the plain one`)
  })
  await withPolicies(500, 'secrets', async () => {
    const cost = await creation('others')
    record('with 500 policies of secrets', `${cost} µs`, `adds ${((cost - plain) / 500).toFixed(2)} µs a policy`)
  })
  client.close()
}
