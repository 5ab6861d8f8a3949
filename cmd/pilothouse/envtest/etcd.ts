import { once } from 'node:events'
import { createServer } from 'node:http'
import { FlagError } from '../../../lib/flags/index.ts'

const usage = `Answers like a healthy etcd, and stores nothing: the API server of \`pilothouse envtest\` keeps objects in memory.

Usage:
  etcd --listen-client-urls=http://127.0.0.1:2379 [flags]

Flags:
      --listen-client-urls strings   URL to listen on
      --unsafe-no-fsync              Taken, as every flag of etcd, and without effect
`

const portDefault = '2379'
/** Paths of etcd that programs ask whether it is there, with its answers. */
const answers: Readonly<Record<string, string>> = {
  '/health': '{"health":"true","reason":""}',
  '/livez': 'ok',
  '/readyz': 'ok',
  '/version': '{"etcdserver":"3.6.0","etcdcluster":"3.6.0"}',
}

/** The etcd that envtest starts: healthy until a signal ends it. Returns the exit code. */
export async function serveHealth(line: readonly string[]): Promise<number> {
  if (line.some((word) => /^(-h|--help)$/.test(word))) {
    process.stdout.write(usage)
    return 0
  }
  const { hostname, port } = placeOf(line)
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? '']
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(answer)
  })
  const ended = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  server.listen({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || portDefault) })
  const [failure] = await Promise.race([ended, once(server, 'error')])
  if (failure instanceof Error) throw new FlagError(`--listen-client-urls: ${failure.message}`, { cause: failure })
  return 0
}

function placeOf(line: readonly string[]): URL {
  const flag = /^--?listen-client-urls(?:=(.*))?$/
  const at = line.findIndex((word) => flag.test(word))
  const urls = at < 0 ? `http://127.0.0.1:${portDefault}` : (flag.exec(line[at] ?? '')?.[1] ?? line[at + 1] ?? '')
  const url = URL.parse(urls.split(',')[0] ?? '')
  if (url?.protocol !== 'http:') throw new FlagError(`--listen-client-urls: ${JSON.stringify(urls)} is no http URL`)
  return url
}
