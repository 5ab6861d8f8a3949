// The shell of one machine of a page: what a block exports, and where it goes, stays for the next.
import { splitSteps } from '../../support/deploy/guide.ts'

/** Performs a command in the place of the program; gets its words. */
export type StandIn = (words: readonly string[]) => void | Promise<void>

export interface PageShellOptions {
  /** Runs a script as root; answers what it printed. */
  readonly run: (script: string) => Promise<string>
  /** What the page says, and what is typed instead. */
  readonly replacements: readonly (readonly [RegExp, string])[]
  readonly standIns: Readonly<Record<string, StandIn>>
  /** Folder of the shell's state, and where it begins. */
  readonly state: string
  readonly home: string
}

/** Runs blocks of a page one after the other; answers what each printed. */
export function createPageShell(options: PageShellOptions): (text: string) => Promise<string> {
  const { run, replacements, standIns, state, home } = options
  const shell = async (text: string): Promise<string> =>
    await run(`
[ ! -e "${state}/environment" ] || . "${state}/environment"
cd "$(cat "${state}/directory" 2>/dev/null || echo "${home}")"
${text}
mkdir -p "${state}"
export -p >"${state}/environment"
pwd >"${state}/directory"`)
  return async (text) => {
    let output = ''
    const typed = replacements.reduce((all, [pattern, replacement]) => all.replaceAll(pattern, replacement), text)
    for (const step of splitSteps(typed, Object.keys(standIns))) {
      if (step.standIn === undefined) output += await shell(step.text)
      else await standIns[step.standIn]?.((await shell(`printf '%s\\n' ${step.text}`)).trimEnd().split('\n'))
    }
    return output
  }
}
