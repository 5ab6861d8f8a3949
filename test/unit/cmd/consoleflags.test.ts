import assert from 'node:assert/strict'
import { apiserverFlags } from '../../../cmd/apiserver/flags.ts'
import { checkFlags } from '../../../cmd/apiserver/rules.ts'
import { FlagError, parseFlags } from '../../../lib/flags/index.ts'

describe('flags of the console', () => {
  const url = '--console-oidc-issuer-url=https://login.example/realm'
  const id = '--console-oidc-client-id=console'
  const cases: readonly (readonly [words: readonly string[], problem: RegExp | undefined])[] = [
    [['--enable-console', url, id], undefined],
    [['--enable-console'], undefined],
    [[url, id], /^--console-oidc-issuer-url needs --enable-console$/],
    [['--enable-console', url], /need each other/],
    [['--enable-console', id], /need each other/],
    [['--enable-console', id, '--console-oidc-issuer-url=http://login.example'], /https URL/],
    [['--enable-console', id, '--console-oidc-issuer-url=https://a.example; script-src *'], /https URL/],
    [['--enable-console', id, '--console-oidc-issuer-url=https://me@a.example'], /https URL/],
    [['--enable-console', id, '--console-oidc-issuer-url=https://a.example?x=1'], /https URL/],
    [['--enable-console', url, id, '--console-oidc-scopes=email'], /must contain openid/],
  ]
  for (const [words, problem] of cases)
    it(`${words.join(' ')} ${problem ? 'is refused' : 'is accepted'}`, () => {
      const check = (): void => checkFlags(parseFlags(apiserverFlags, ['--storage-backend=memory', ...words]))
      if (!problem) return check()
      assert.throws(check, (error: unknown) => error instanceof FlagError && problem.test(error.message))
    })
})
