import assert from 'node:assert/strict'
import { isOfCertificate, isSameUser } from '../../../console/state/userinfo.ts'

describe('whether two credentials are of the same user', () => {
  const token = {
    username: 'jane',
    uid: '7',
    groups: ['a', 'b'],
    extra: { 'authentication.kubernetes.io/credential-id': ['JTI=1'], team: ['x', 'y'] },
  }
  const cases: readonly [title: string, other: unknown, isSame: boolean][] = [
    [
      'another credential of the user',
      { ...token, extra: { ...token.extra, 'authentication.kubernetes.io/credential-id': ['X509SHA256=2'] } },
      true,
    ],
    ['groups in another order', { ...token, groups: ['b', 'a'] }, true],
    ['another name', { ...token, username: 'joe' }, false],
    ['another uid', { ...token, uid: '8' }, false],
    ['a group more', { ...token, groups: ['a', 'b', 'system:masters'] }, false],
    ['another extra value', { ...token, extra: { team: ['x'] } }, false],
    ['no answer', undefined, false],
  ]
  for (const [title, other, isSame] of cases)
    it(`${title}: ${isSame ? 'the same' : 'not the same'}`, () => assert.equal(isSameUser(token, other), isSame))
})

describe('whether a certificate signed in', () => {
  const signedIn = (...ids: string[]) => ({ extra: { 'authentication.kubernetes.io/credential-id': ids } })

  it('a user of a certificate, of a token, and without either', () => {
    const answers = [signedIn('X509SHA256=0a'), signedIn('JTI=1'), { username: 'jane' }].map(isOfCertificate)
    assert.deepEqual(answers, [true, false, false])
  })
})
