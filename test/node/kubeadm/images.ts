// The images that kubeadm's static pods need beside ours, made of Debian's programs.
import { execFileSync } from 'node:child_process'
import { writeImage } from '../../../hack/node/images.ts'

const reap = 'trap "exit 0" TERM INT; while :; do sleep 3600 & wait $!; done'

/** Sandboxes of pods: something that waits. It has a shell, so that a test's pods can use the image, too. */
export function writePauseImage(name: string, busybox: string, folder: string): string {
  const files = { '/bin/busybox': { copyOf: busybox } }
  return writeImage({ name, files, command: ['/bin/busybox', 'sh', '-c', reap] }, folder)
}

/** etcd with the libraries that it is linked with. */
export function writeEtcdImage(name: string, etcd: string, folder: string): string {
  const listed = execFileSync('ldd', [etcd], { encoding: 'utf8' })
  const libraries = [...listed.matchAll(/(\/\S+\.so\S*)/g)].map(([, path = '']) => path)
  const files = Object.fromEntries(
    [['/bin/etcd', etcd], ...libraries.map((path) => [path, path])].map(([place = '', path = '']) => [
      place,
      { copyOf: path },
    ]),
  )
  return writeImage({ name, files, command: ['/bin/etcd'] }, folder)
}
