// Images of one static program, as OCI archives: a pause image for sandboxes, and one with a shell and its tools. Format:
// the image layout of the OCI image specification, 1.0.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

export const pauseImage = 'registry.test/pause:1'
/** busybox, whose tools are all in /bin. A container without a command serves its hostname on port 8080. */
export const shellImage = 'registry.test/shell:1'

export interface Image {
  readonly name: string
  /** Absolute paths of files, with the text or the path of what they hold; all are executable. */
  readonly files: Readonly<Record<string, { readonly text: string } | { readonly copyOf: string }>>
  readonly command: readonly string[]
}

/** What ends at SIGTERM, and reaps processes of a shared process namespace. */
const wait = 'trap "exit 0" TERM INT; while :; do sleep 3600 & wait $!; done'

const serve = 'mkdir -p /www && hostname > /www/index.html && exec httpd -f -p 8080 -h /www'

/** Writes archives of both images to `folder`; returns their paths. */
export function writeImages(busybox: string, folder: string): string[] {
  const tools = { '/bin/busybox': { copyOf: busybox } }
  return [
    writeImage({ name: pauseImage, files: tools, command: ['/bin/busybox', 'sh', '-c', wait] }, folder),
    writeImage({ name: shellImage, files: tools, command: ['/bin/sh', '-c', serve] }, folder),
  ]
}

/** Writes `NAME.tar` to `folder`, and returns its path. */
export function writeImage({ name, files, command }: Image, folder: string): string {
  const base = name.replaceAll(/[^a-z\d]+/g, '-')
  const root = join(folder, `${base}-root`)
  fillRoot(root, files)
  const layer = tarOf(root)
  const layout = join(folder, `${base}-layout`)
  const blobs = join(layout, 'blobs/sha256')
  mkdirSync(blobs, { recursive: true })
  const add = (content: Buffer | object, mediaType: string): Descriptor => {
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content))
    const digest = sha256(bytes)
    writeFileSync(join(blobs, digest), bytes)
    return { mediaType: `application/vnd.oci.image.${mediaType}`, digest: `sha256:${digest}`, size: bytes.length }
  }
  const layers = [add(gzipSync(layer, { level: 1 }), 'layer.v1.tar+gzip')]
  const config = add(
    {
      architecture: { x64: 'amd64', arm64: 'arm64' }[process.arch as 'x64'],
      os: 'linux',
      config: { Cmd: command, Env: ['PATH=/bin'], WorkingDir: '/' },
      rootfs: { type: 'layers', diff_ids: [`sha256:${sha256(layer)}`] },
    },
    'config.v1+json',
  )
  const manifest = add({ schemaVersion: 2, config, layers }, 'manifest.v1+json')
  const annotations = { 'io.containerd.image.name': name, 'org.opencontainers.image.ref.name': name }
  writeFileSync(
    join(layout, 'index.json'),
    JSON.stringify({ schemaVersion: 2, manifests: [{ ...manifest, annotations }] }),
  )
  writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
  const archive = join(folder, `${base}.tar`)
  writeFileSync(archive, tarOf(layout))
  for (const made of [root, layout]) rmSync(made, { recursive: true })
  return archive
}

interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
}

function fillRoot(root: string, files: Image['files']): void {
  for (const folder of ['bin', 'etc', 'tmp', 'root']) mkdirSync(join(root, folder), { recursive: true })
  chmodSync(join(root, 'tmp'), 0o1777)
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n')
  for (const [path, content] of Object.entries(files)) {
    const place = join(root, path)
    mkdirSync(join(place, '..'), { recursive: true })
    if ('text' in content) writeFileSync(place, content.text)
    else copyFileSync(content.copyOf, place)
    chmodSync(place, 0o755)
    if (path === '/bin/busybox')
      for (const tool of execFileSync(place, ['--list'], { encoding: 'utf8' }).trim().split('\n'))
        if (tool !== 'busybox') symlinkSync('busybox', join(root, 'bin', tool))
  }
}

function tarOf(folder: string): Buffer {
  const flags = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name', '--format=ustar', '-C', folder, '-c', '.']
  return execFileSync('tar', flags, { maxBuffer: 512 * 2 ** 20 })
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
