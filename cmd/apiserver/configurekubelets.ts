import type { ApiserverConfig } from '../../lib/controlplane/index.ts'
import { FlagError } from '../../lib/flags/index.ts'
import type { ApiserverFlags } from './flags.ts'

/** How kubelets are reached. Throws FlagError. */
export function kubeletSettings(flags: ApiserverFlags): ApiserverConfig['kubelets'] {
  const [certFile, keyFile] = [flags['kubelet-client-certificate'], flags['kubelet-client-key']]
  if ((certFile === '') !== (keyFile === ''))
    throw new FlagError('--kubelet-client-certificate and --kubelet-client-key are given together')
  const authorityFile = flags['kubelet-certificate-authority']
  return {
    preferredAddressTypes: flags['kubelet-preferred-address-types'],
    port: flags['kubelet-port'],
    connectTimeoutMs: flags['kubelet-timeout'],
    bytesPerSecMax: flags['max-connection-bytes-per-sec'],
    client: certFile === '' ? undefined : { certFile, keyFile },
    authorityFile: authorityFile || undefined,
  }
}
