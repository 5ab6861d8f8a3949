// Checks a Containerfile against the rules that this project's keeps to; for machines without a builder.

interface Instruction {
  readonly line: number
  readonly name: string
  readonly rest: string
}

const secretName = /(?:password|passwd|token|secret|credential|api_?key|private)/i
/** A release of three numbers, or a digest. */
const pinned = /(?::v?\d+\.\d+\.\d+[\w.-]*|@sha256:[0-9a-f]{64})$/

/** A line a finding; none: the file keeps to the rules. */
export function lintContainerfile(text: string): readonly string[] {
  const instructions = parse(text)
  const problems: string[] = []
  const values = new Map<string, string>()
  const stages = new Set<string>()
  let final: Instruction[] = []
  const report = ({ line }: Instruction, problem: string): void => void problems.push(`line ${line}: ${problem}`)

  const checks: Record<string, (instruction: Instruction) => void> = {
    ARG(instruction) {
      const [name = '', value = ''] = instruction.rest.split('=')
      values.set(name, value)
      if (secretName.test(name)) report(instruction, `${name} would stay in the image's history`)
    },
    ENV(instruction) {
      if (secretName.test(instruction.rest)) report(instruction, 'the image would hold a secret')
    },
    FROM(instruction) {
      final = []
      const [image = '', , stage] = instruction.rest.split(/\s+/)
      const named = image.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => values.get(name) ?? '')
      if (named !== 'scratch' && !stages.has(named) && !pinned.test(named))
        report(instruction, `${named || image} is not pinned`)
      if (stage !== undefined) stages.add(stage)
    },
    COPY(instruction) {
      const from = /--from=(\S+)/.exec(instruction.rest)?.[1]
      if (from !== undefined && !stages.has(from)) report(instruction, `there is no stage ${from}`)
    },
    ADD: (instruction) => report(instruction, 'COPY says what it does'),
    ENTRYPOINT: exec,
    CMD: exec,
  }

  function exec(instruction: Instruction): void {
    if (!/^\[\s*"\/?[\w.-]/.test(instruction.rest)) report(instruction, `${instruction.name} needs a shell`)
  }

  for (const instruction of instructions) {
    checks[instruction.name]?.(instruction)
    final.push(instruction)
  }
  const user = final.findLast(({ name }) => name === 'USER')?.rest
  if (user === undefined || !/^[1-9]\d*(?::\d+)?$/.test(user))
    problems.push('the image runs as no numbered user but root')
  if (!final.some(({ name }) => name === 'ENTRYPOINT')) problems.push('the image has no ENTRYPOINT')
  if (final.some(({ name }) => name === 'RUN')) problems.push('the last stage runs commands: it would need a shell')
  return problems
}

function parse(text: string): Instruction[] {
  const joined = text.replaceAll(/\\\n/g, ' ')
  return joined.split('\n').flatMap((line, index) => {
    const found = /^\s*([A-Z]+)\s+(.*?)\s*$/.exec(line)
    return found === null ? [] : [{ line: index + 1, name: found[1] ?? '', rest: found[2] ?? '' }]
  })
}
