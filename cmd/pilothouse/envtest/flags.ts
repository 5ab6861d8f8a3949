import { commaList, integer, text } from '../../../lib/flags/index.ts'
import { apiserverFlags } from '../../apiserver/flags.ts'

const controllers = commaList(
  [],
  'Controllers to run in the API server, as `pilothouse up` takes them: * is all that are on by default. Empty: none, as ' +
    'in stock envtest.',
)

const nodes = integer(
  0,
  'Nodes without machines to run in the API server, with a scheduler (docs/testing.md). 0: none, as in stock envtest.',
  { min: 0, max: 5000 },
)

export const envtestFlags = {
  Flags: {
    controllers,
    nodes,
    'emulated-version': text('1.36', 'Release that the API server behaves like, 1.33 to 1.36.'),
    help: apiserverFlags['Global flags'].help,
  },
} as const

/** The API server that envtest starts: all flags of the stock one. */
export const testServerFlags = {
  ...apiserverFlags,
  'Controller flags': { controllers },
  'Node flags': { nodes },
} as const
