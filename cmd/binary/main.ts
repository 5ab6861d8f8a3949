// The binary: all programs in one file (hack/binary). Its first word, or the name of a link to it, says which one runs.
import { isBrief } from '../engine.ts'
import { reportInJson } from '../strayoutput.ts'
import { loadPart } from './parts.ts'
import { programOf, programs } from './programs.ts'

const [executable = '', called = '', ...given] = process.argv
const { name, words } = programOf(called, given)
// Programs take the words from the third on.
process.argv = [executable, name, ...words]
reportInJson(name === 'pilothouse' ? name : `pilothouse-${name}`)

function start(part: 'brief' | 'whole'): void {
  const [use, handOver] = part === 'brief' ? ['help', () => start('whole')] : [programs[name].compiledAs]
  const program = loadPart(part, use, handOver).programs[name]
  void program?.().then(({ run }) => run())
}

start(isBrief([called, ...words]) || words.length === 0 ? 'brief' : 'whole')
