import assert from 'node:assert/strict'
import { resources } from '../../../api/gen/resources.ts'
import { conditionOf } from '../../../lib/controllers/devicetainteviction/condition.ts'
import { observeEviction, observeRule } from '../../../lib/controllers/devicetainteviction/observe.ts'
import { formatTime } from '../../../lib/object/index.ts'
import { runScripts } from '../../support/controllerscript.ts'

const { resourceclaims, resourceslices, devicetaintrules } = resources.resource.v1beta2

// `key`: a pod, whose time to go is expected, with the rules for which it goes; or `rule:` and a name, whose condition is.
runScripts('devicetainteviction', ({ key, lister, input }) => {
  const shown = {
    pods: lister(resources.core.v1.pods),
    claims: lister(resourceclaims),
    slices: lister(resourceslices),
    rules: input['withoutRules'] === true ? undefined : lister(devicetaintrules),
  }
  if (key.startsWith('rule:')) {
    const rule = shown.rules?.get(key.slice('rule:'.length))
    assert.ok(rule)
    return conditionOf(rule, { ...observeRule(shown, rule), evicted: Number(input['evicted'] ?? 0) })
  }
  const pod = shown.pods.get(key)
  assert.ok(pod)
  const eviction = observeEviction(shown, pod)
  if (!eviction) return undefined
  const at = formatTime(eviction.atMs)
  const rules = Array.from(eviction.rules, ({ metadata }) => metadata.name)
  return rules.length === 0 ? at : { at, rules }
})
