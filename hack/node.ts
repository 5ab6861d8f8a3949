// `npm run node`: `npm run node -- --help` explains its flags.
import { parseArgs } from 'node:util'
import { findNodePrograms } from './node/programs.ts'

const help = `Usage: npm run node -- --programs

  --programs    Prints the paths of a node's programs, after fetching and building those that are missing.
`

const { values } = parseArgs({
  options: {
    programs: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

async function printPrograms(): Promise<void> {
  const programs = await findNodePrograms()
  if (!programs) return void (process.exitCode = 1)
  const { release, environment, ...paths } = programs
  for (const [name, path] of Object.entries(paths)) console.log(`${name.padEnd(12)} ${path}`)
  console.log(`release      ${release.join('.')}`)
  for (const [name, value] of Object.entries(environment)) console.log(`${name}=${value}`)
}

if (values.programs) await printPrograms()
else console.log(help)
