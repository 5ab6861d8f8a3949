import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configure } from '../../../cmd/controller-manager/configure.ts'
import { managerFlags } from '../../../cmd/controller-manager/flags.ts'
import { parseFlags } from '../../../lib/flags/index.ts'
import { scratchFolder } from '../../support/apiserver.ts'

describe('cmd: templates of recycler pods', () => {
  const folder = scratchFolder('recyclers')
  after(() => folder.remove())

  const settingsWith = async (text: string, more: readonly string[] = []) => {
    const path = join(folder.path, 'pod')
    writeFileSync(path, text)
    const { values, warnings } = parseFlags(managerFlags, [`--pv-recycler-pod-template-filepath-nfs=${path}`, ...more])
    return { ...(await configure(values)).settings, warnings }
  }

  it('are read from YAML or JSON, and all flags of recyclers have an effect', async () => {
    const texts = [
      'apiVersion: v1\nkind: Pod\nmetadata: {namespace: ours}\nspec: {volumes: [{name: data}]}\n---\nother: document\n',
      '{"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"ours"},"spec":{"volumes":[{"name":"data"}],"unknown":1}}',
    ]
    for (const text of texts) {
      const settings = await settingsWith(text, [
        '--pv-recycler-minimum-timeout-hostpath=1',
        '--pv-recycler-timeout-increment-hostpath=2',
        '--pv-recycler-minimum-timeout-nfs=3',
        '--pv-recycler-increment-timeout-nfs=4',
      ])
      assert.equal(settings.recyclerPods.nfs?.metadata.namespace, 'ours')
      assert.equal(settings.recyclerPods.nfs?.spec.volumes?.[0]?.name, 'data')
      assert.equal(settings.recyclerPods.hostPath, undefined)
      assert.equal(settings.pvRecyclerMinimumTimeoutHostpath, 1)
      assert.equal(settings.pvRecyclerTimeoutIncrementHostpath, 2)
      assert.equal(settings.pvRecyclerMinimumTimeoutNfs, 3)
      assert.equal(settings.pvRecyclerIncrementTimeoutNfs, 4)
      assert.deepEqual(settings.warnings, [])
    }
  })

  it('are refused at the start where they are no pods with a volume', async () => {
    const refused: [text: string, why: RegExp][] = [
      ['', /file was empty/],
      ['{"apiVersion":"v1","kind":"Pod","spec":{}}', /does not contain any volume\(s\)/],
      ['{"apiVersion":"v1","kind":"Secret"}', /Secret/],
      ['{"apiVersion":"v1","kind":"Pod","spec":{"volumes":7}}', /volumes/],
      ['{"apiVersion":"v1"', /failed decoding file/],
    ]
    for (const [text, why] of refused)
      await assert.rejects(settingsWith(text), (error: Error) => {
        assert.match(error.message, /^--pv-recycler-pod-template-filepath-nfs: /)
        assert.match(error.message, why)
        return true
      })
  })
})
