import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { scratchFolder } from '../support/apiserver.ts'
import { eventually } from '../support/eventually.ts'
import { findKubectl } from '../support/kubectl.ts'
import { freePort } from '../support/ports.ts'

const root = join(import.meta.dirname, '../..')

interface Started {
  /** What it printed for the user to paste. */
  readonly line: string
  /** As Ctrl-C in its terminal does: the signal goes to all of its processes. Resolves when none is left. */
  interrupt(): Promise<void>
}

/** To a process and all that it started; false when there is none left. */
function signalAll({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal)
  } catch {
    return false
  }
}

describe('a new user', function () {
  if (!findKubectl()) {
    it.skip('needs kubectl on PATH')
    return
  }
  this.timeout(120_000)
  const folder = scratchFolder('newuser')
  let running: ChildProcess | undefined
  after(() => {
    if (running) signalAll(running, 'SIGKILL')
    folder.remove()
  })

  /** `npm start` in the clone, in a process group of its own as in a terminal. */
  async function start(port: number): Promise<Started> {
    const child = spawn('npm', ['start', '--', `--data-dir=${folder.path}/my data`, `--secure-port=${port}`], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running = child
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
    let output = ''
    const line = await new Promise<string>((resolve, reject) => {
      const read = (chunk: unknown): void => {
        output += String(chunk)
        const found = /^export KUBECONFIG=.*$/m.exec(output)
        if (found && output.endsWith('\n')) resolve(found[0])
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      void exited.then((code) => reject(new Error(`npm start ended with ${code}:\n${output}`)))
    })
    return {
      line,
      async interrupt() {
        signalAll(child, 'SIGINT')
        await exited
        await eventually(() => !signalAll(child, 0), 'the end of everything after Ctrl-C')
        assert.doesNotMatch(output, /failed|error/i)
      },
    }
  }

  /** In a shell where the printed line was pasted. */
  async function shell(line: string, command: string): Promise<string> {
    const env: NodeJS.ProcessEnv = { ...process.env, HOME: folder.path }
    delete env['KUBECONFIG']
    const child = spawn('sh', ['-ec', `${line}\n${command}`], { cwd: folder.path, env })
    let output = ''
    child.stdout.on('data', (chunk) => (output += String(chunk)))
    child.stderr.on('data', (chunk) => (output += String(chunk)))
    const code = await new Promise((resolve) => child.once('close', resolve))
    assert.equal(code, 0, `${command}\n${output}`)
    return output
  }

  it('starts it, pastes the line, works with kubectl, and finds everything again after a restart', async () => {
    const port = await freePort()
    const first = await start(port)
    assert.match(await shell(first.line, 'kubectl get namespaces'), /^default +Active +/m)
    await shell(first.line, 'kubectl create namespace shop && kubectl config set-context --current --namespace=shop')
    await shell(
      first.line,
      'kubectl create deployment web --image=web:1 --replicas=2 && kubectl expose deployment web --port=80',
    )
    await shell(first.line, 'kubectl create secret generic keys --from-literal=password=hunter2')
    const uid = await shell(first.line, "kubectl get deployment web -o jsonpath='{.metadata.uid}'")
    const ip = await shell(first.line, "kubectl get service web -o jsonpath='{.spec.clusterIP}'")
    await first.interrupt()

    const second = await start(port)
    assert.equal(second.line, first.line)
    assert.equal(await shell(second.line, "kubectl get deployment web -o jsonpath='{.metadata.uid}'"), uid)
    assert.equal(await shell(second.line, "kubectl get service web -o jsonpath='{.spec.clusterIP}'"), ip)
    const password = "kubectl get secret keys -o jsonpath='{.data.password}' | base64 -d"
    assert.equal(await shell(second.line, password), 'hunter2')
    assert.match(await shell(second.line, 'kubectl scale deployment web --replicas=3'), /scaled/)
    assert.match(await shell(second.line, 'kubectl delete namespace shop --wait=false'), /"shop" deleted/)
    await second.interrupt()
  })
})
