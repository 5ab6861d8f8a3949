// Records the project's own goldens (test/golden/recorded): the program's output in the tests that compare it with a
// stock server. If the answers of such a server are available beside the repository, a test that differs from them
// records nothing.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const tests = [
  'test/unit/codec/golden.test.ts',
  'test/unit/kinds/facts.test.ts',
  'test/unit/kinds/observed.test.ts',
  'test/unit/object/vectors.test.ts',
  'test/unit/api/resources.test.ts',
  'test/unit/features/gates.test.ts',
  'test/integration/authz/rbac.test.ts',
  'test/integration/cmd/apiserver.test.ts',
  'test/integration/cmd/controllermanager.test.ts',
]

const mocha = join(root, 'node_modules/.bin/mocha')
const { status } = spawnSync(mocha, ['--exit', '--grep', '@recorded', ...tests], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PILOTHOUSE_RECORD: '1' },
})
process.exitCode = status ?? 1
