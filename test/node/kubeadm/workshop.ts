// The machine of the page that makes the image: a folder of this one, where npm finds what this clone has.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { bundleClone } from '../../../hack/bundle.ts'
import { createPageShell, type StandIn } from './pageshell.ts'

const root = join(import.meta.dirname, '../../..')

/** `folder` is its /root. `scp` copies to the machines. */
export function createWorkshop(folder: string, scp: StandIn): (text: string) => Promise<string> {
  mkdirSync(folder, { recursive: true })
  return createPageShell({
    // Synchronous: nothing else is to be done before there is an image.
    run: (script) => Promise.resolve(execFileSync('sh', ['-eu', '-c', script], { encoding: 'utf8' })),
    replacements: [[/(?<!:)\/root(?=\/)/g, folder]],
    standIns: { npm: async ([, , prefix = '']) => await install(prefix.replace('--prefix=', '')), scp },
    state: join(folder, '.shell'),
    home: folder,
  })
}

/** `npm install` of Node, which is this one, or of the archive, which test/e2e/package.test.ts does: this clone's bundles. */
async function install(prefix: string): Promise<void> {
  const modules = join(prefix, 'node_modules')
  const binaries = join(modules, '.bin')
  mkdirSync(binaries, { recursive: true })
  if (prefix.endsWith('/node')) return symlinkSync(process.execPath, join(binaries, 'node'))
  const own = join(modules, 'pilothouse')
  const programs = process.env['PILOTHOUSE_PROGRAMS'] ?? (await bundleClone())
  cpSync(programs, join(own, 'dist'), { recursive: true })
  for (const name of ['package.json', 'deploy']) cpSync(join(root, name), join(own, name), { recursive: true })
  for (const dependency of installedDependencies())
    cpSync(join(root, dependency), join(prefix, dependency), { recursive: true })
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { bin: Record<string, string> }
  for (const [name, main] of Object.entries(bin)) symlinkSync(`../pilothouse/${main}`, join(binaries, name))
}

/** Folders of what `npm install --omit=dev` installs. */
function installedDependencies(): string[] {
  const { stdout } = spawnSync('npm', ['ls', '--omit=dev', '--omit=peer', '--all', '--parseable'], {
    cwd: root,
    encoding: 'utf8',
  })
  const folders = stdout
    .trim()
    .split('\n')
    .map((path) => relative(root, path))
  return folders.filter((path) => path !== '')
}
