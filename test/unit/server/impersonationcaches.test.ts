import assert from 'node:assert/strict'
import type { AuthorizationAttributes } from '../../../lib/authz/index.ts'
import { createFakeClock } from '../../../lib/base/index.ts'
import type { UserInfo } from '../../../lib/request/index.ts'
import {
  createDecisionCache,
  createModeMemory,
  decisionKey,
  rememberedDecisionsMax,
  rememberedUsersMax,
} from '../../../lib/server/impersonation/caches.ts'

const user: UserInfo = { name: 'a', uid: 'b', groups: ['c', 'd'], extra: { e: ['f'], g: [] } }
const attributes: AuthorizationAttributes = {
  user,
  verb: 'list',
  isResource: true,
  path: '/p',
  group: 'g',
  version: 'v1',
  resource: 'r',
  subresource: 's',
  namespace: 'n',
  name: 'm',
  labelSelector: 'l',
  fieldSelector: 'f',
}

describe('server: caches of impersonation', () => {
  const otherUsers: Partial<UserInfo>[] = [
    { name: 'x' },
    { uid: 'x' },
    { groups: ['c'] },
    { groups: ['d', 'c'] },
    { groups: ['c,d'] },
    { extra: { e: ['f'] } },
    { extra: { e: ['f', ''], g: [] } },
    { extra: { e: [], g: ['f'] } },
  ]
  it('every part of both users and of the action makes another key', () => {
    const { labelSelector: _label, ...unselected } = attributes
    const others = [
      ...otherUsers.map((part) => decisionKey({ ...user, ...part }, attributes)),
      ...otherUsers.map((part) => decisionKey(user, { ...attributes, user: { ...user, ...part } })),
      ...Object.keys(attributes)
        .filter((key) => key !== 'user')
        .map((key) => decisionKey(user, { ...attributes, [key]: key === 'isResource' ? false : 'other' })),
      decisionKey(user, unselected),
    ]
    const key = decisionKey(user, attributes)
    assert.equal(new Set([...others, key]).size, others.length + 1)
    assert.equal(decisionKey({ ...user, extra: { g: [], e: ['f'] } }, { ...attributes }), key)
    assert.equal(decisionKey({ ...user, groups: ['x'.repeat(1e6)] }, attributes).length, key.length)
  })

  it('the oldest decision is evicted beyond the maximum', () => {
    const cache = createDecisionCache(createFakeClock(0))
    for (let index = 0; index <= rememberedDecisionsMax; index++) cache.set(String(index), user)
    assert.equal(cache.get('0'), undefined)
    assert.equal(cache.get('1'), user)
    assert.equal(cache.get(String(rememberedDecisionsMax)), user)
  })

  it('the mode of the user that was not seen for longest is forgotten beyond the maximum', () => {
    const memory = createModeMemory()
    for (let index = 0; index <= rememberedUsersMax; index++) memory.set({ ...user, name: String(index) }, 3)
    assert.equal(memory.get({ ...user, name: '0' }), undefined)
    assert.equal(memory.get({ ...user, name: '1' }), 3)
  })
})
