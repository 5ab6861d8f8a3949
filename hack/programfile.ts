import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * The file that runs one of the project's programs (`cmd/apiserver/main.ts`): the source, or its bundle below the
 * folder in PILOTHOUSE_PROGRAMS, which `npm test` sets: bundles start several times faster.
 */
export function programFile(program: string): string {
  const bundles = process.env['PILOTHOUSE_PROGRAMS']
  return bundles !== undefined && program.startsWith('cmd/')
    ? join(bundles, program.replace(/\.ts$/, '.js'))
    : join(root, program)
}
