import assert from 'node:assert/strict'
import { configure } from '../../../cmd/controller-manager/configure.ts'
import { managerFlags } from '../../../cmd/controller-manager/flags.ts'
import { defaultControllerSettings } from '../../../lib/controller/index.ts'
import { parseFlags } from '../../../lib/flags/index.ts'

describe('cmd/controller-manager: defaults', () => {
  it('the flags for numbers of turns at once have the defaults of `pilothouse up`', async () => {
    const { settings } = await configure(parseFlags(managerFlags, []).values)
    const numbers = (of: object) => Object.entries(of).filter(([name]) => /concurrent/i.test(name))
    assert.deepEqual(numbers(settings), numbers(defaultControllerSettings))
  })

  it('a given number of turns at once is obeyed', async () => {
    const { values } = parseFlags(managerFlags, ['--concurrent-job-syncs=1', '--concurrent-replicaset-syncs=5'])
    const { settings } = await configure(values)
    assert.equal(settings.concurrentJobSyncs, 1)
    assert.equal(settings.concurrentReplicasetSyncs, 5)
    assert.equal(settings.concurrentDeploymentSyncs, defaultControllerSettings.concurrentDeploymentSyncs)
  })
})
