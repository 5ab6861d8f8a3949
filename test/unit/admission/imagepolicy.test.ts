import assert from 'node:assert/strict'
import { parseImagePolicy } from '../../../cmd/apiserver/pluginsettings.ts'
import { createImagePolicyWebhook } from '../../../lib/admission/index.ts'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import { RequestError } from '../../../lib/client/index.ts'
import { admit, make } from '../../support/admissionkit.ts'

type Reply = { readonly status: number; readonly body: object | string } | Error

describe('ImagePolicyWebhook', () => {
  const image = 'imagePolicy: {kubeConfigFile: k, retryBackoff: 1, '
  const asked: string[] = []
  function plugin(replies: Reply[], settings = ''): ReturnType<typeof createImagePolicyWebhook> {
    asked.length = 0
    const client = {
      post(body: string | Uint8Array) {
        asked.push(String(body))
        const reply = replies.length > 1 ? replies.shift() : replies[0]
        if (!reply || reply instanceof Error) return Promise.reject(reply ?? new Error('none'))
        const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
        return Promise.resolve({ status: reply.status, headers: {}, body: Buffer.from(text) })
      },
    }
    return createImagePolicyWebhook(
      { clock: systemClock, random: systemRandom, client },
      parseImagePolicy(`${image}${settings}}`),
    )
  }
  const verdict = (allowed: boolean, more: object = {}): Reply => ({
    status: 200,
    body: { apiVersion: 'imagepolicy.k8s.io/v1alpha1', kind: 'ImageReview', status: { allowed, ...more } },
  })
  const annotations = { 'break.image-policy.k8s.io/glass': 'yes', other: 'no' }
  const pod = (name = 'a') =>
    make(
      'Pod',
      { containers: [{ image: name }], initContainers: [{ image: 'i' }] },
      { annotations: { ...annotations } },
    )

  it('sends the images, the namespace, and its own annotations alone', async () => {
    await admit(plugin([verdict(true)]), 'pods', pod())
    assert.deepEqual(JSON.parse(asked[0] ?? '').spec, {
      containers: [{ image: 'a' }, { image: 'i' }],
      annotations: { 'break.image-policy.k8s.io/glass': 'yes' },
      namespace: 'ns',
    })
  })
  it('refuses with the reason of the server, and caches the answer', async () => {
    const strict = plugin([verdict(false, { reason: 'too old' })])
    const expected = {
      code: 403,
      message: 'pods "x" is forbidden: image policy webhook backend denied one or more images: too old',
    }
    await assert.rejects(admit(strict, 'pods', pod()), expected)
    await assert.rejects(admit(strict, 'pods', pod()), expected)
    assert.equal(asked.length, 1)
    await assert.rejects(
      admit(plugin([verdict(false)]), 'pods', pod()),
      /one or more images rejected by webhook backend/,
    )
  })
  it('asks again for other images, and each time where no answer is cached', async () => {
    const forgetful = plugin([verdict(true)], 'allowTTL: -1')
    await admit(forgetful, 'pods', pod())
    await admit(forgetful, 'pods', pod())
    assert.equal(asked.length, 2)
    await admit(forgetful, 'pods', pod('b'), { operation: 'UPDATE', oldObject: pod('b') })
    assert.equal(asked.length, 2)
  })
  it("adds the server's audit annotations to the audit event", async () => {
    const noted: Record<string, string> = {}
    await admit(plugin([verdict(true, { auditAnnotations: { a: 'b', c: 1 } })]), 'pods', pod(), { annotations: noted })
    assert.deepEqual(noted, { 'imagepolicywebhook.image-policy.k8s.io/a': 'b' })
  })
  it('retries where the server fails, and refuses where it can not be reached', async () => {
    await admit(plugin([new RequestError('x'), { status: 503, body: '' }, verdict(true)]), 'pods', pod())
    assert.equal(asked.length, 3)
    await assert.rejects(admit(plugin([new RequestError('no route')]), 'pods', pod()), /no route/)
    assert.equal(asked.length, 5)
    const lies: Reply[] = [
      { status: 200, body: '{' },
      { status: 200, body: { kind: 'Other', status: { allowed: true } } },
      { status: 403, body: '' },
    ]
    for (const reply of lies) await assert.rejects(admit(plugin([reply]), 'pods', pod()), { code: 403 })
  })
  it('admits pods, with an annotation, where the settings allow it', async () => {
    const noted: Record<string, string> = {}
    const passed = await admit(plugin([new RequestError('x')], 'defaultAllow: true'), 'pods', pod(), {
      annotations: noted,
    })
    assert.equal(passed.metadata.annotations?.['alpha.image-policy.k8s.io/failed-open'], 'true')
    assert.deepEqual(noted, { 'imagepolicywebhook.image-policy.k8s.io/failed-open': 'true' })
    // Words of the server that no boolean are don't allow anything.
    await assert.rejects(admit(plugin([verdict('true' as never)]), 'pods', pod()), { code: 403 })
  })
  it('refuses settings out of bounds', () => {
    assert.throws(() => parseImagePolicy('imagePolicy: {}'), /kubeConfigFile: Required value/)
    assert.throws(() => parseImagePolicy('imagePolicy: {kubeConfigFile: k, allowTTL: 1801}'), /between 1 and 1800/)
  })
})
