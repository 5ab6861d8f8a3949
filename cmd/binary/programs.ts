/** One of the programs in the binary. */
interface BinaryProgram {
  /** The program whose start shows which functions this one needs compiled. */
  readonly compiledAs: string
  /** Names of a link to the file, or of the file, that start this program without naming it on the command line. */
  readonly aliases: readonly string[]
}

/** By the word that starts them, `pilothouse <word>`; `pilothouse` is the program without a word. */
export const programs = {
  pilothouse: { compiledAs: 'pilothouse', aliases: ['pilothouse'] },
  apiserver: { compiledAs: 'pilothouse', aliases: ['kube-apiserver', 'pilothouse-apiserver'] },
  'controller-manager': {
    compiledAs: 'controller-manager',
    aliases: ['kube-controller-manager', 'pilothouse-controller-manager'],
  },
  scheduler: { compiledAs: 'controller-manager', aliases: ['kube-scheduler', 'pilothouse-scheduler'] },
} as const satisfies Readonly<Record<string, BinaryProgram>>

export type ProgramName = keyof typeof programs

/** The program of a command line, and the words that it takes. `called` is the path that the binary was started by. */
export function programOf(called: string, words: readonly string[]): { name: ProgramName; words: readonly string[] } {
  const base = called.slice(called.lastIndexOf('/') + 1)
  const names = Object.keys(programs) as ProgramName[]
  const byFile = names.find((name) => name !== 'pilothouse' && programs[name].aliases.some((alias) => alias === base))
  if (byFile) return { name: byFile, words }
  const byWord = names.find((name) => name !== 'pilothouse' && name === words[0])
  return byWord ? { name: byWord, words: words.slice(1) } : { name: 'pilothouse', words }
}
