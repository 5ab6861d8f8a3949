import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configureScheduler } from '../../../cmd/scheduler/configure.ts'
import { schedulerFlags } from '../../../cmd/scheduler/flags.ts'
import { parseFlags } from '../../../lib/flags/index.ts'
import { scratchFolder } from '../../support/apiserver.ts'

const head = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n'
const plugins = (text: string): string => `${head}profiles:\n- plugins:\n    ${text}\n`
const args = (name: string, text: string): string =>
  `${head}profiles:\n- pluginConfig:\n  - name: ${name}\n    args: ${text}\n`
const refusals: readonly (readonly [what: string, file: string, line: RegExp])[] = [
  [
    'a plugin that is not known, by its name',
    plugins('multiPoint: {enabled: [{name: Coscheduling}]}'),
    /profiles\[0\]\.plugins\.multiPoint\.enabled\[0\]: Invalid value: "Coscheduling": plugin "Coscheduling" does not exist/,
  ],
  [
    'a plugin at a point that it does not have',
    plugins('score: {enabled: [{name: NodeName}]}'),
    /plugin "NodeName" does not extend score plugin/,
  ],
  [
    'a plugin that is enabled twice',
    plugins('score: {enabled: [{name: NodeAffinity}, {name: NodeAffinity}]}'),
    /enabled\[1\]: .*already registered/,
  ],
  ['a profile without a binder', plugins('bind: {disabled: [{name: "*"}]}'), /at least one bind plugin is needed/],
  ['an unknown field', `${head}parallel: 3\n`, /unknown field "parallel"/],
  ['an unknown field of arguments', args('NodeResourcesFit', '{strategy: 1}'), /args: .*unknown field "strategy"/],
  ['arguments of another plugin', args('NodeResourcesFit', '{kind: NodeAffinityArgs}'), /args: .*NodeAffinityArgs/],
  ['arguments of a plugin without any', args('NodeName', '{}'), /NodeName takes no arguments/],
  [
    'a shape out of order',
    args(
      'NodeResourcesFit',
      '{scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: [{utilization: 9, score: 1}, {utilization: 9, score: 2}]}}}',
    ),
    /shape\[1\]\.utilization: Invalid value: 9: values must be sorted in increasing order/,
  ],
  [
    'two profiles of one name',
    `${head}profiles: [{schedulerName: a}, {schedulerName: a}]\n`,
    /\[1\]\.schedulerName: Duplicate value/,
  ],
  ['a percentage beyond all', `${head}percentageOfNodesToScore: 101\n`, /not in valid range \[0-100\]/],
  ['extenders', `${head}extenders: [{urlPrefix: "http://x"}]\n`, /extenders: Forbidden/],
  ['another version', head.replace('/v1', '/v1beta3'), /kubescheduler\.config\.k8s\.io\/v1beta3/],
  ['an empty file', '', /--config/],
]

describe('the configuration of the scheduler', () => {
  const folder = scratchFolder('schedulerconfig')
  after(() => folder.remove())
  const file = join(folder.path, 'scheduler.yaml')
  const configured = async (text: string, line: readonly string[] = []): ReturnType<typeof configureScheduler> => {
    writeFileSync(file, text)
    return await configureScheduler(parseFlags(schedulerFlags, [`--config=${file}`, ...line]))
  }

  for (const [what, text, line] of refusals)
    it(`refuses ${what}`, async () => {
      await assert.rejects(configured(text), (error: Error) => {
        assert.match(error.message, line)
        assert.doesNotMatch(error.message, /\n/)
        return true
      })
    })

  it('names all mistakes at once', async () => {
    await assert.rejects(
      configured(`${head}parallelism: 0\npodInitialBackoffSeconds: -1\n`),
      /parallelism: .*; podInitial/,
    )
  })

  it('lets the command line have precedence only in what is about the lease', async () => {
    const text = `${head}leaderElection: {leaseDuration: 1m, resourceName: mine}\nclientConnection: {kubeconfig: /x}\n`
    const { flags } = await configured(text, ['--leader-elect-resource-name=other', '--kubeconfig=/y'])
    assert.deepEqual(
      [flags['leader-elect-resource-name'], flags['leader-elect-lease-duration'], flags.kubeconfig],
      ['other', 60_000, '/x'],
    )
    assert.equal(flags['leader-elect-retry-period'], 2000)
  })

  const orderOf = async (text: string, point: 'filters' | 'scores'): Promise<string[]> => {
    const { settings } = await configured(text)
    const [profile] = settings.profiles
    if (point === 'filters') return profile?.filters.map(({ name }) => name) ?? []
    return profile?.scores.map(({ score, weight }) => `${score.name}=${weight}`) ?? []
  }

  it('keeps the order of the default plugins, and lets a point name some first, again or no more', async () => {
    const all = await orderOf(head, 'filters')
    assert.deepEqual(all.slice(0, 3), ['NodeUnschedulable', 'NodeName', 'TaintToleration'])
    const changed = await orderOf(
      plugins('filter: {disabled: [{name: NodeName}], enabled: [{name: TaintToleration}]}'),
      'filters',
    )
    assert.deepEqual(changed.slice(0, 2), ['TaintToleration', 'NodeUnschedulable'])
    assert.ok(!changed.includes('NodeName'))
    assert.equal(changed.length, all.length - 1)
    assert.deepEqual(
      await orderOf(plugins('filter: {disabled: [{name: "*"}], enabled: [{name: NodePorts}]}'), 'filters'),
      ['NodePorts'],
    )
  })

  it('takes weights from a point before those of all points, and those before the defaults', async () => {
    assert.ok((await orderOf(head, 'scores')).includes('TaintToleration=3'))
    const text =
      'multiPoint: {enabled: [{name: TaintToleration, weight: 5}, {name: NodeAffinity, weight: 7}]}\n    ' +
      'score: {enabled: [{name: NodeAffinity, weight: 9}]}'
    const scores = await orderOf(plugins(text), 'scores')
    assert.ok(scores.includes('TaintToleration=5') && scores.includes('NodeAffinity=9'), scores.join())
  })

  it('chooses alike with the same seed', async () => {
    const draw = async (): Promise<number[]> => {
      const { random } = await configured(head, ['--seed=7'])
      return [1, 2, 3].map(() => random.below(1000))
    }
    assert.deepEqual(await draw(), await draw())
  })
})
