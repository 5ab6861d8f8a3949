import { setTimeout as sleep } from 'node:timers/promises'
import type { Attacked, Proof } from '../proof.ts'

const group = '/apis/admissionregistration.k8s.io'
const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }]
const params = (where: object): object => ({ ...where, parameterNotFoundAction: 'Deny' })

/** References to a Secret that the author may not read. */
const references: Readonly<Record<string, object>> = {
  'by name': params({ name: 'secret', namespace: 'vault' }),
  'by selector': params({ selector: {}, namespace: 'vault' }),
  'by selector, everywhere': params({ selector: {} }),
}

const validations = [{ expression: 'false', messageExpression: "'read: ' + string(params.data.key)" }]

export const policyParameters: Proof = {
  title: 'a policy shows its author nothing that its author may not read',
  async run({ plane }) {
    const left: string[] = []
    const author = plane.as('author')
    let number = 0
    for (const [what, paramRef] of Object.entries(references)) {
      const name = `reader-${number++}`
      const policy = { metadata: { name }, spec: { paramKind: { apiVersion: 'v1', kind: 'Secret' }, matchConstraints: { resourceRules: rules }, validations } } // biome-ignore format: one line
      const made = await author.ask('POST', `${group}/v1/validatingadmissionpolicies`, policy)
      if (made.status === 201) left.push(`${what}: a policy over all Secrets is accepted`)
      // The binding needs a policy: alone, it is refused for a policy of another author.
      else await plane.as('admin').ask('POST', `${group}/v1/validatingadmissionpolicies`, policy)
      const binding = { metadata: { name }, spec: { policyName: name, paramRef, validationActions: ['Deny'] } }
      const bound = await author.ask('POST', `${group}/v1/validatingadmissionpolicybindings`, binding)
      if (bound.status === 201)
        left.push(`${what}: a binding to the Secret is accepted`, ...(await shown({ plane }, what)))
      for (const resource of ['validatingadmissionpolicybindings', 'validatingadmissionpolicies'])
        await plane.as('admin').ask('DELETE', `${group}/v1/${resource}/${name}`)
    }
    return [...left, ...(await mutating({ plane }))]
  },
}

/** The parts of the Secret that a client sees. */
async function shown({ plane }: Pick<Attacked, 'plane'>, what: string): Promise<string[]> {
  for (let tries = 0; tries < 20; tries++) {
    const body = { metadata: { name: 'policy-reader' } }
    const refused = await plane.as('editor').ask('POST', '/api/v1/namespaces/team/configmaps?dryRun=All', body)
    if (refused.text.includes('read: ')) return [`${what}: the message shows the Secret`]
    await sleep(50)
  }
  return []
}

async function mutating({ plane }: Pick<Attacked, 'plane'>): Promise<string[]> {
  const expression = 'Object{metadata: Object.metadata{annotations: {"read": string(params.data.key)}}}'
  const spec = {
    paramKind: { apiVersion: 'v1', kind: 'Secret' },
    matchConstraints: { resourceRules: rules },
    failurePolicy: 'Ignore',
    reinvocationPolicy: 'Never',
    mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
  }
  const left: string[] = []
  for (const version of ['v1', 'v1beta1', 'v1alpha1']) {
    const path = `${group}/${version}/mutatingadmissionpolicies`
    const name = `writer-${version}`
    const made = await plane.as('author').ask('POST', path, { metadata: { name }, spec })
    if (made.status === 201) left.push(`a mutating policy of ${version} over all Secrets is accepted`)
    await plane.as('admin').ask('DELETE', `${path}/${name}`)
  }
  return left
}
