import * as objects from '../objects.ts'
import type { Hand } from './hand.ts'
import { accounts, deployments, secrets } from './kinds.ts'

export async function makeAccount(hand: Hand): Promise<boolean> {
  return await hand.create(accounts, objects.account(hand.namespace(), hand.name('u')))
}

/** A secret that asks for the token of an account, mostly of one that is there. */
export async function askToken(hand: Hand): Promise<boolean> {
  const account = hand.pick(hand.ours(accounts))
  if (!account) return await makeAccount(hand)
  const { namespace = '', name = '' } = account.metadata
  const of = hand.random.below(4) === 0 ? hand.name('u') : name
  return await hand.create(secrets, objects.tokenSecret(namespace, hand.name('t'), of))
}

/** A password, and pods that are given it. */
export async function keepSecret(hand: Hand): Promise<boolean> {
  const namespace = hand.namespace()
  const name = hand.name('k')
  await hand.create(secrets, objects.password(namespace, name, hand.random.uuid()))
  const env = [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name, key: 'password' } } }]
  const spec = { template: { spec: { containers: [{ name: 'c', image: 'one', env }] } } }
  await hand.change(deployments, { spec })
  return true
}
