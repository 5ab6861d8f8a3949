import { type Proof, unless } from '../proof.ts'

const namespaces = '/api/v1/namespaces'
const label = 'resource.kubernetes.io/admin-access'

/** Namespaces by their labels, and whether they allow claims for administration. */
const cases: readonly (readonly [name: string, labels: object, isAllowed: boolean])[] = [
  ['unmarked', {}, false],
  ['marked-false', { [label]: 'false' }, false],
  ['marked-other', { [`${label}s`]: 'true' }, false],
  ['marked', { [label]: 'true' }, true],
]

export const adminDevices: Proof = {
  title: 'devices are claimed for administration in marked namespaces alone',
  flags: ['--emulated-version=1.34'],
  async run({ plane }) {
    const admin = plane.as('admin')
    const left: string[] = []
    const exactly = { deviceClassName: 'c', adminAccess: true }
    const spec = { devices: { requests: [{ name: 'r', exactly }] } }
    for (const [name, labels, isAllowed] of cases) {
      await admin.ask('POST', namespaces, { metadata: { name, labels } })
      const bodies: Readonly<Record<string, object>> = { resourceclaims: spec, resourceclaimtemplates: { spec } }
      for (const [resource, body] of Object.entries(bodies)) {
        const path = `/apis/resource.k8s.io/v1/namespaces/${name}/${resource}`
        const made = await admin.ask('POST', path, { metadata: { name: 'one' }, spec: body })
        left.push(...unless([isAllowed ? 201 : 422], path, made))
      }
    }
    return left
  },
}
