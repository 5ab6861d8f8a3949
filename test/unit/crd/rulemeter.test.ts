import assert from 'node:assert/strict'
import { systemClock } from '../../../lib/base/index.ts'
import { compileSchema } from '../../../lib/crd/schema/compile.ts'
import { createRuleMeter } from '../../../lib/crd/schema/rulemeter.ts'
import { createRuleEnvironment, createRuleSet } from '../../../lib/crd/schema/rules.ts'
import { createMetrics } from '../../../lib/observe/index.ts'

describe('the times of rules', () => {
  it('has one compilation a rule, and one evaluation for each value with rules', async () => {
    const metrics = createMetrics()
    const item = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }, { rule: 'self < 9' }] }
    const schema = { type: 'object', properties: { list: { type: 'array', items: item } } }
    const meter = createRuleMeter({ clock: systemClock, metrics })
    const rules = createRuleSet(compileSchema(schema), createRuleEnvironment(), meter)
    assert.equal(rules.validate({ list: [1, 2, 3] }, undefined).errors.length, 0)
    assert.equal(rules.validate({ list: [0] }, undefined).errors.length, 1)
    const { body } = await metrics.exposition()
    assert.match(body, /^apiserver_cel_compilation_duration_seconds_count 2$/m)
    assert.match(body, /^apiserver_cel_evaluation_duration_seconds_count 4$/m)
  })

  it('has one ratcheting an update, with the comparisons of all its faulty values', async () => {
    const metrics = createMetrics()
    let nowMs = 0
    const clock = { ...systemClock, monotonicMs: () => (nowMs += 8) }
    const ratcheting = createRuleMeter({ clock, metrics }).ratcheting()
    assert.equal(ratcheting.equal({ a: [1] }, { a: [1] }), true)
    assert.equal(ratcheting.equal(1, 2), false)
    ratcheting.end()
    const { body } = await metrics.exposition()
    assert.match(body, /^apiextensions_apiserver_validation_ratcheting_seconds_sum 0\.016$/m)
    assert.match(body, /^apiextensions_apiserver_validation_ratcheting_seconds_bucket\{le="0\.01024"\} 0$/m)
    assert.match(body, /^apiextensions_apiserver_validation_ratcheting_seconds_bucket\{le="0\.04096"\} 1$/m)
  })
})
