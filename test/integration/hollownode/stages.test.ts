import assert from 'node:assert/strict'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resources } from '../../../api/gen/resources.ts'
import { startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'
import { eventually } from '../../support/eventually.ts'
import { runProgram } from '../../support/program.ts'

const { events, pods } = resources.core.v1
const head = (name: string): string =>
  `apiVersion: kwok.x-k8s.io/v1alpha1\nkind: Stage\nmetadata: {name: ${name}}\nspec:\n  resourceRef: {apiGroup: v1, kind: Pod}\n`
const describes = `${head('describes')}  selector:
    matchLabels: {app: solid}
    matchExpressions: [{key: '.status.containerStatuses.[].state.running', operator: Exists}]
  next:
    statusTemplate: |
      containerStatuses:
      {{ range $index, $each := .spec.containers }}
      - name: {{ $each.name | Quote }}
        imageID: {{ printf "%s@%s" $each.image ( index $.status.containerStatuses $index ).containerID | Quote }}
      {{ end }}
      message: {{ PodIPWith .spec.nodeName false .metadata.uid .metadata.name .metadata.namespace }} on {{ NodeName }}
    patches:
    - {root: metadata, template: 'annotations: {described: "true"}'}
---
${head('fails')}  selector: {matchLabels: {app: fragile}}
  next: {statusTemplate: 'reason: {{ .metadata.name.first }}'}
`
const breaks = `${head('breaks')}  selector:
    matchLabels: {app: fragile}
    matchExpressions: [{key: .status.phase, operator: In, values: [Running]}]
  delay: {durationMilliseconds: 100}
  next:
    event: {type: Warning, reason: Broken, message: it was time}
    statusTemplate: |
      phase: Failed
      reason: Broken
`

describe('stages of a running control plane', () => {
  it('a pod takes the course that its stages describe, and others are left alone', async () => {
    const plane = await startControlPlane({
      controllers: true,
      nodes: { count: 1, stages: `${breaks}---\n${describes}`, seed: 1 },
    })
    try {
      const client = plane.client.resource(pods)
      for (const name of ['fragile', 'solid'])
        await client.create({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { namespace: 'default', name, labels: { app: name } },
          spec: { containers: [{ name: 'c', image: 'i', resources: {} }] },
          status: {},
        })
      const statusOf = async (name: string) => (await client.get({ namespace: 'default', name })).status
      await eventually(async () => (await statusOf('fragile')).phase === 'Failed', 'a broken pod')
      assert.equal((await statusOf('fragile')).reason, 'Broken')
      await eventually(async () => (await statusOf('solid')).phase === 'Running', 'a solid pod')
      await eventually(async () => {
        const { items } = await plane.client.resource(events).list({ namespace: 'default' })
        const texts = items.map(({ reason, message }) => `${reason}: ${message}`)
        return [
          'Broken: it was time',
          'StageFailed: stage fails: line 1 of a template: a string has no field first',
        ].every((each) => texts.includes(each))
      }, 'the events')
      const described = async () => await client.get({ namespace: 'default', name: 'solid' })
      await eventually(async () => {
        const { metadata, status } = await described()
        return metadata.annotations?.['described'] === 'true' && status.message !== undefined
      }, 'a described pod')
      const solid = await described()
      assert.match(solid.status.message ?? '', /^10\.128\.0\.\d+ on hollow-0$/)
      assert.match(solid.status.containerStatuses?.[0]?.imageID ?? '', /^i@hollow:/)
    } finally {
      await plane.stop()
    }
  })

  it('stages that make no sense keep a control plane from starting, with their line', async () => {
    await assert.rejects(
      startControlPlane({ nodes: { count: 1, stages: `${head('x')}  wait: 1\n` } }),
      /nodes\.stages:6: spec\.wait/,
    )
  })

  it('nodes of a running `up` are listed, fail and recover by a command, and wrong stage files are refused', async () => {
    const folder = scratchFolder('stages')
    const file = join(folder.path, 'stages.yaml')
    writeFileSync(file, breaks)
    let server: ServerProcess | undefined
    try {
      const data = `--data-dir=${join(folder.path, 'data')}`
      server = await startServer(
        'cmd/pilothouse/main.ts',
        [data, '--storage-backend=memory', '--nodes=2', `--stages=${file}`, '--cert-dir='],
        folder.path,
      )
      const run = async (...line: string[]) => await runProgram('cmd/pilothouse/main.ts', ['nodes', ...line, data])
      await eventually(
        async () => /hollow-0 +Ready +runs\nhollow-1 +Ready +runs\n/.test((await run('list')).stdout),
        'two nodes',
      )
      assert.equal((await run('fail', 'hollow-1')).stdout, 'node/hollow-1 fails\n')
      assert.match((await run('list')).stdout, /hollow-1 +\w+ +failed/)
      assert.equal((await run('recover', 'hollow-1')).stdout, 'node/hollow-1 recovers\n')
      const missing = await run('fail', 'other')
      assert.equal(missing.code, 1)
      assert.match(missing.stderr, /nodes "other" not found/)
      appendFileSync(file, '  wrong: 1\n')
      const seen = server
      await eventually(
        () => Promise.resolve(/stages\.yaml:15: spec\.wrong: is not known here/.test(seen.output())),
        'the line of the mistake',
      )
      const refused = await runProgram('cmd/pilothouse/main.ts', ['up', data, '--nodes=1', `--stages=${file}`])
      assert.equal(refused.code, 1)
    } finally {
      await server?.stop()
      folder.remove()
    }
  })
})
