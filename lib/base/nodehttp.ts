/**
 * Node's module `http`, loaded by the first call: `--help` has no use for it. An import by name would read all of its
 * exports, among them the classes of Node's fetch, which are loaded on first access: 4 MB of a server, 16 MB and 70 ms of
 * an empty program.
 */
export function nodeHttp() {
  return process.getBuiltinModule('node:http')
}
