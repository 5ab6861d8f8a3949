import assert from 'node:assert/strict'
import { readAnswer } from '../../../lib/admission/webhook/answer.ts'

const read = (body: string, version: 'v1' | 'v1beta1' = 'v1') =>
  readAnswer(body, { uid: 'u', version, isMutating: true })
const field = (kind: string, path: string, type: string): string =>
  `json: cannot unmarshal ${kind} into Go struct field ${path} of type ${type}`
const unknown = (kind: string, version: string): string =>
  `no kind "${kind}" is registered for version "${version}" in scheme "k8s.io/apiserver/pkg/util/webhook/client.go:71"`
const unreadable = "couldn't get version/kind; json parse error: "

const refused: readonly (readonly [body: string, why: string])[] = [
  ['{"apiVersion":5}', unreadable + field('number', '.apiVersion', 'string')],
  ['{"kind":[]}', unreadable + field('array', '.kind', 'string')],
  ['{"apiVersion":"v1","kind":"Pod"}', unknown('Pod', 'v1')],
  ['{"kind":"Pod"}', unknown('Pod', 'admission.k8s.io/v1')],
  ['{"apiVersion":"v1","kind":"AdmissionReview"}', unknown('AdmissionReview', 'v1')],
  ['{"apiVersion":"admission.k8s.io/v2","kind":"AdmissionReview"}', unknown('AdmissionReview', 'admission.k8s.io/v2')],
  ['{"apiVersion":"a/b/c","kind":"AdmissionReview"}', 'unexpected GroupVersion string: a/b/c'],
  ['{"apiVersion":"v1","kind":"Status"}', 'converting (v1.Status) to (v1.AdmissionReview): unknown conversion'],
  ['{"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview"}', 'converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion'],
  ['{"response":5}', field('number', 'AdmissionReview.response', 'v1.AdmissionResponse')],
  ['{"response":[]}', field('array', 'AdmissionReview.response', 'v1.AdmissionResponse')],
  ['{"response":{"uid":5,"allowed":"yes"}}', field('number', 'AdmissionResponse.response.uid', 'types.UID')],
  ['{"response":{"allowed":"yes","uid":5}}', field('string', 'AdmissionResponse.response.allowed', 'bool')],
  ['{"response":{"allowed":1}}', field('number', 'AdmissionResponse.response.allowed', 'bool')],
  ['{"response":{"patch":5}}', field('number', 'AdmissionResponse.response.patch', '[]uint8')],
  ['{"response":{"patchType":5}}', field('number', 'AdmissionResponse.response.patchType', 'v1.PatchType')],
  ['{"response":{"warnings":"x"}}', field('string', 'AdmissionResponse.response.warnings', '[]string')],
  ['{"response":{"warnings":["a",{}]}}', field('object', 'AdmissionResponse.response.warnings', 'string')],
  ['{"response":{"auditAnnotations":[]}}', field('array', 'AdmissionResponse.response.auditAnnotations', 'map[string]string')],
  ['{"response":{"auditAnnotations":{"a":true}}}', field('bool', 'AdmissionResponse.response.auditAnnotations', 'string')],
  ['{"response":{"status":"x"}}', field('string', 'AdmissionResponse.response.status', 'v1.Status')],
  ['{"response":{"status":{"code":"x"}}}', field('string', 'Status.response.status.code', 'int32')],
  ['{"response":{"status":{"code":1.5}}}', field('number 1.5', 'Status.response.status.code', 'int32')],
  ['{"response":{"status":{"code":4294967296}}}', field('number 4294967296', 'Status.response.status.code', 'int32')],
  ['{"response":{"status":{"reason":{}}}}', field('object', 'Status.response.status.reason', 'v1.StatusReason')],
  ['{"response":{"status":{"metadata":5}}}', field('number', 'Status.response.status.metadata', 'v1.ListMeta')],
  ['{"response":{"status":{"details":5}}}', field('number', 'Status.response.status.details', 'v1.StatusDetails')],
  ['{"response":{"status":{"details":{"causes":[5]}}}}', field('number', 'StatusDetails.response.status.details.causes', 'v1.StatusCause')],
  ['{"response":{"status":{"details":{"causes":[{"message":5}]}}}}', field('number', 'StatusCause.response.status.details.causes.message', 'string')],
] // biome-ignore format: a table

/** Where the text of a patch is no base64. */
const patches: readonly (readonly [patch: string, at: number | undefined])[] = [
  ['', undefined], ['YQ==', undefined], ['YWI=', undefined], ['YWJj\\n', undefined], ['YQ=\\n=', undefined], ['!!', 0],
  ['Y', 0], ['YQ', 0], ['YQ=', 3], ['YQ==x', 4], ['YWJjYQ', 4], ['YW=I', 2], ['YWJj!', 4], ['=', 0], ['YWJ==', 4],
  ['YWJj=', 4], ['YWJjY=', 5], ['a-_b', 1],
] // biome-ignore format: a table

describe("a webhook's answer", () => {
  for (const [body, why] of refused)
    it(`is invalid where it is ${body}, in the words of the stock server's decoder`, () => {
      assert.throws(() => read(body), { name: 'CallFailure', message: `failed to call webhook: ${why}` })
    })

  for (const [patch, at] of patches)
    it(`with the patch "${patch}" ${at === undefined ? 'is read' : `is none because of byte ${at}`}`, () => {
      const type = patch === '' ? '' : ',"patchType":"JSONPatch"'
      const body = `{"response":{"uid":"u","allowed":true,"patch":"${patch}"${type}}}`
      if (at === undefined) assert.equal(read(body).allowed, true)
      else
        assert.throws(() => read(body), { message: `failed to call webhook: illegal base64 data at input byte ${at}` })
    })

  it('a review of v1beta1 names its types by that version, and has no other version', () => {
    const message = `failed to call webhook: ${field('number', 'AdmissionReview.response', 'v1beta1.AdmissionResponse')}`
    assert.throws(() => read('{"response":5}', 'v1beta1'), { message })
    const other = '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"allowed":true}}'
    const converting = 'converting (v1.AdmissionReview) to (v1beta1.AdmissionReview): unknown conversion'
    assert.throws(() => read(other, 'v1beta1'), { message: `failed to call webhook: ${converting}` })
    assert.equal(read('{"response":{"allowed":true}}', 'v1beta1').allowed, true)
  })

  it('may have a null in every field, and unknown fields', () => {
    const fields = 'allowed status patch patchType auditAnnotations warnings'.split(' ').map((name) => `"${name}":null`)
    assert.equal(read(`{"response":{"uid":"u",${fields.join(',')},"other":5},"more":[]}`).allowed, false)
  })
})
