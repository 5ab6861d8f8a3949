import { commaList, text } from '../../../lib/flags/index.ts'
import { apiserverFlags } from '../../apiserver/flags.ts'

const controllers = commaList(
  [],
  'Controllers to run in the API server, as `pilothouse up` takes them: * is all that are on by default. Empty: none, as ' +
    'in stock envtest.',
)

export const envtestFlags = {
  Flags: {
    controllers,
    'emulated-version': text('1.36', 'Release that the API server behaves like, 1.33 to 1.36.'),
    help: apiserverFlags['Global flags'].help,
  },
} as const

/** The API server that envtest starts: all flags of the stock one. */
export const testServerFlags = { ...apiserverFlags, 'Controller flags': { controllers } } as const
