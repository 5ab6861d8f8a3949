import { commaList, text } from '../../../lib/flags/index.ts'
import { apiserverFlags } from '../../apiserver/flags.ts'

export const typesFlags = {
  Flags: {
    crd: commaList(
      [],
      'Files of custom resource definitions in YAML or JSON, or folders of .yaml, .yml and .json files.',
    ),
    out: text('', 'File to write. Empty: the standard output.', { short: 'o' }),
    help: apiserverFlags['Global flags'].help,
  },
} as const
