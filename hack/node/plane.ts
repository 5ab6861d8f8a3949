// A control plane of one process on a site's address, that nodes may join.
import { spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programFile } from '../programfile.ts'
import type { Site } from './site.ts'

export interface Plane {
  readonly url: string
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string
  /** PEM; verifies the server, and the clients of kubelets. */
  readonly caCertificate: string
  readonly logFile: string
  stop(): Promise<void>
}

const serviceRange = '10.96.0.0/16'

/** Starts `pilothouse up`; resolves when it is ready. */
export async function startPlane(site: Site, flags: readonly string[] = []): Promise<Plane> {
  const folder = join(site.folder, 'plane')
  const logFile = join(site.folder, 'plane.log')
  const log = openSync(logFile, 'a')
  const child = spawn(
    process.execPath,
    [
      programFile('cmd/pilothouse/main.ts'),
      'up',
      `--data-dir=${folder}`,
      `--bind-address=${site.hostAddress}`,
      `--advertise-address=${site.hostAddress}`,
      '--secure-port=6443',
      `--service-cluster-ip-range=${serviceRange}`,
      '--enable-bootstrap-token-auth=true',
      `--kubelet-certificate-authority=${join(folder, 'pki/ca.crt')}`,
      ...flags,
    ],
    { cwd: site.folder, stdio: ['ignore', 'pipe', log] },
  )
  process.once('exit', () => child.kill('SIGKILL'))
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kubeconfig = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (chunk) => {
      output += String(chunk)
      const found = /^export KUBECONFIG=(.*)$/m.exec(output)?.[1]
      if (found) resolve(found)
    })
    void exited.then(() => reject(new Error(`the control plane has ended: see ${logFile}`)))
  })
  return {
    url: `https://${site.hostAddress}:6443`,
    kubeconfig,
    caCertificate: readFileSync(join(folder, 'pki/ca.crt'), 'utf8'),
    logFile,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
