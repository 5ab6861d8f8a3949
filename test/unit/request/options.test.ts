import assert from 'node:assert/strict'
import { StatusError } from '../../../lib/object/index.ts'
import {
  checkDeleteOptions,
  parseCreateOptions,
  parseDeleteOptions,
  parseGetOptions,
  parseListOptions,
  parsePatchOptions,
  parseUpdateOptions,
} from '../../../lib/request/index.ts'

const list = (query: string) => parseListOptions(new URLSearchParams(query), { watchList: false, shards: false })
const listWithGate = (query: string) => parseListOptions(new URLSearchParams(query), { watchList: true, shards: false })
const create = (query: string) => parseCreateOptions(new URLSearchParams(query))
const update = (query: string) => parseUpdateOptions(new URLSearchParams(query))
const patch = (query: string) => parsePatchOptions(new URLSearchParams(query), { apply: false })
const apply = (query: string) => parsePatchOptions(new URLSearchParams(query), { apply: true })
const remove = (query: string) => parseDeleteOptions(new URLSearchParams(query))

const refused: readonly (readonly [string, () => unknown, number, string])[] = [
  ['a limit that is no number', () => list('limit=x'), 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  ['an empty limit', () => list('limit='), 400, 'strconv.ParseInt: parsing "": invalid syntax'],
  ['a fraction', () => list('timeoutSeconds=1.5'), 400, 'strconv.ParseInt: parsing "1.5": invalid syntax'],
  [
    'a limit beyond 64 bits',
    () => list('limit=9223372036854775808'),
    400,
    'strconv.ParseInt: parsing "9223372036854775808": value out of range',
  ],
  [
    'a match without a version',
    () => list('resourceVersionMatch=Exact'),
    422,
    'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
  ],
  [
    'an exact 0',
    () => list('resourceVersionMatch=Exact&resourceVersion=0'),
    422,
    'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
  ],
  [
    'an unknown match',
    () => list('resourceVersionMatch=Foo&resourceVersion=1'),
    422,
    'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: "Foo": supported values: "Exact", "NotOlderThan", ""',
  ],
  [
    'a match with a token',
    () => list('continue=abc&resourceVersionMatch=Exact'),
    422,
    'ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided, resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided]',
  ],
  [
    'initial events of a list',
    () => list('sendInitialEvents=true'),
    422,
    'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
  ],
  [
    'an exact watch',
    () => list('watch=1&resourceVersionMatch=Exact&resourceVersion=1'),
    422,
    'ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
  ],
  [
    'initial events without a match',
    () => listWithGate('watch=1&sendInitialEvents=true'),
    422,
    'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
  ],
  [
    'an unknown dry run',
    () => create('dryRun=Foo'),
    422,
    'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Foo"]: supported values: "All"',
  ],
  [
    'an unknown validation',
    () => create('fieldValidation=Foo'),
    422,
    'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Foo": supported values: "", "Ignore", "Strict", "Warn"',
  ],
  [
    'a long manager',
    () => update(`fieldManager=${'x'.repeat(129)}`),
    422,
    'UpdateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes',
  ],
  [
    'a manager that can’t be printed',
    () => create('fieldManager=%C3%A4%07'),
    422,
    'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: "ä\\a": invalid character U+0007 (at position 2)',
  ],
  [
    'force without apply',
    () => patch('force=true'),
    422,
    'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
  ],
  [
    'apply without a manager',
    () => apply(''),
    422,
    'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
  ],
  [
    'an unknown policy',
    () => remove('propagationPolicy=Foo'),
    422,
    'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Foo": supported values: "Foreground", "Background", "Orphan", "nil"',
  ],
  [
    'a policy twice',
    () => checkDeleteOptions({ propagationPolicy: 'Orphan', orphanDependents: true }),
    422,
    'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
  ],
  [
    'a grace period that is no number',
    () => remove('gracePeriodSeconds=soon'),
    400,
    'strconv.ParseInt: parsing "soon": invalid syntax',
  ],
]

describe('options of requests', () => {
  for (const [title, run, code, message] of refused) {
    it(`refuse ${title}`, () => {
      assert.throws(run, (error: unknown) => {
        assert.ok(error instanceof StatusError)
        assert.equal(error.code, code)
        assert.equal(error.message, message)
        return true
      })
    })
  }

  it('are the parameters of the query', () => {
    assert.deepEqual(list('labelSelector=a%3Db&limit=-1&timeoutSeconds=5&allowWatchBookmarks=true&continue=t'), {
      labelSelector: 'a=b',
      fieldSelector: '',
      shardSelector: '',
      watch: false,
      allowWatchBookmarks: true,
      resourceVersion: '',
      resourceVersionMatch: '',
      timeoutSeconds: 5,
      limit: -1,
      continue: 't',
      sendInitialEvents: undefined,
    })
    assert.deepEqual(create('dryRun=All&fieldManager=m&fieldValidation=Strict'), {
      dryRun: true,
      fieldManager: 'm',
      fieldValidation: 'Strict',
    })
    assert.deepEqual(apply('fieldManager=m&force=1'), {
      dryRun: false,
      fieldManager: 'm',
      fieldValidation: '',
      force: true,
    })
    assert.deepEqual(parseGetOptions(new URLSearchParams('resourceVersion=7')), { resourceVersion: '7' })
    assert.deepEqual(remove('gracePeriodSeconds=-5&orphanDependents=false'), {
      dryRun: false,
      gracePeriodSeconds: -5,
      preconditions: undefined,
      orphanDependents: false,
      propagationPolicy: undefined,
      ignoreStoreReadError: false,
    })
  })

  it('options of a deletion name the object in the query, too', () => {
    assert.deepEqual(remove('uid=u&resourceVersion=5').preconditions, { uid: 'u', resourceVersion: '5' })
    assert.deepEqual(remove('uid=u').preconditions, { uid: 'u', resourceVersion: undefined })
    assert.deepEqual(remove('uid=&resourceVersion=5').preconditions, { uid: undefined, resourceVersion: '5' })
    assert.equal(remove('uid=&resourceVersion=').preconditions, undefined)
  })

  it('treat an empty dry run as none', () => {
    assert.equal(create('dryRun=').dryRun, false)
    assert.equal(checkDeleteOptions({ dryRun: [''] }).dryRun, false)
  })

  it('allow a watch by path', () => {
    assert.equal(
      parseListOptions(new URLSearchParams(), { watchList: false, shards: false, forceWatch: true }).watch,
      true,
    )
  })
})
