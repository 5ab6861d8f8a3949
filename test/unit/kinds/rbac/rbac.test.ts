import assert from 'node:assert/strict'
import { created, decoded, updated } from '../../../support/kindrun.ts'
import { valid as clusterRole } from '../../../support/valid/ClusterRole.ts'
import { valid as role } from '../../../support/valid/Role.ts'
import { valid as binding } from '../../../support/valid/RoleBinding.ts'

describe('roles and bindings', () => {
  it('a namespace’s role has no rules for URLs', () => {
    const rules = [{ verbs: ['get'], nonResourceURLs: ['/x'] }]
    assert.deepEqual(created({ ...clusterRole, rules }).findings, [])
    assert.deepEqual(created({ ...role, rules }).findings, [
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
    ])
  })

  it('a rule is for resources or for URLs', () => {
    const rules = [{ verbs: ['get'], nonResourceURLs: ['/x'], resources: ['pods'] }]
    assert.deepEqual(created({ ...clusterRole, rules }).findings, [
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs',
    ])
  })

  it('users and groups are of the API’s own group, service accounts of none', () => {
    const subjects = ['User', 'Group', 'ServiceAccount'].map((kind) => ({ kind, name: 'a' }))
    const object = decoded({ ...binding, subjects })
    const groups = (object['subjects'] as { apiGroup?: string }[]).map(({ apiGroup }) => apiGroup ?? '')
    assert.deepEqual(groups, ['rbac.authorization.k8s.io', 'rbac.authorization.k8s.io', ''])
  })

  it('a binding keeps its role', () => {
    const { object } = created(binding)
    const rename = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' }
    assert.deepEqual(updated(object, (changed) => void (changed['roleRef'] = rename)).findings, [
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"admin"}: cannot change roleRef',
    ])
    assert.deepEqual(updated(object, (changed) => void delete changed['subjects']).findings, [])
  })
})
