import { bool, integer, quantity, text } from '../../../lib/flags/index.ts'
import { apiserverFlags } from '../../apiserver/flags.ts'

export const recordFlags = {
  Flags: {
    kubeconfig: text('', 'Access to the server; its current context is used. Empty: KUBECONFIG, else ~/.kube/config.'),
    out: text('', 'File for the recording; there must be none of this name. Readable by you alone.', { short: 'o' }),
    listen: text('127.0.0.1:0', 'Loopback address and port for clients; port 0 is any free one.'),
    'max-file-size': quantity('64Mi', 'Size at which the recording ends; requests are still passed on.'),
    'max-body-size': quantity('256Ki', 'Size up to which the bodies of requests are kept.'),
    bodies: bool(
      false,
      'Keep the bodies of answers, too, for a comparison; objects that the user may read are in them.',
    ),
    help: apiserverFlags['Global flags'].help,
  },
} as const

export const replayFlags = {
  Flags: {
    kubeconfig: text('', 'Access to the server to play to. It must be named: a replay writes, and deletes.'),
    speed: text('1', 'Times as fast as recorded; 0 is as fast as answers allow.'),
    timeout: integer(30, 'Seconds to wait for an answer.'),
    bodies: bool(false, 'Compare the bodies of answers, where the recording has them.'),
    help: apiserverFlags['Global flags'].help,
  },
} as const
