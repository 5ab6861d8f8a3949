import { isRecord } from '../../base/index.ts'
import { parseJsonText, StatusError, statusErrors } from '../../object/index.ts'

/** The end of a command, in the form of the channel for errors. */
export interface CommandOutcome {
  /** The code in metrics. */
  readonly code: number
  readonly status: object
}

const succeeded: CommandOutcome = { code: 200, status: { metadata: {}, status: 'Success' } }

export function failedWith(error: unknown): CommandOutcome {
  const failure =
    error instanceof StatusError ? error : statusErrors.internal(error instanceof Error ? error.message : String(error))
  const { kind: _kind, apiVersion: _apiVersion, ...status } = failure.toStatus()
  return { code: failure.code, status }
}

/** Reads a kubelet's stream for errors, by the version of the streams' protocol. */
export function outcomeOf(text: string, version: string): CommandOutcome {
  if (text === '') return succeeded
  if (!/^v[4-9]\./.test(version)) return failedWith(new Error(`error executing remote command: ${text}`))
  let given: unknown
  try {
    given = parseJsonText(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : ''
    return failedWith(new Error(`error stream protocol error: ${why} in ${JSON.stringify(text)}`))
  }
  if (!isRecord(given)) return failedWith(new Error('error stream protocol error: unknown error'))
  if (given['status'] === 'Success') return succeeded
  const exitCode = given['reason'] === 'NonZeroExitCode' ? exitCodeOf(given['details']) : undefined
  return exitCode === undefined ? failedWith(new Error(String(given['message'] ?? ''))) : exited(exitCode)
}

function exitCodeOf(details: unknown): string | undefined {
  const causes: unknown = isRecord(details) ? details['causes'] : undefined
  if (!Array.isArray(causes)) return undefined
  const cause = causes.filter(isRecord).find(({ reason }) => reason === 'ExitCode')
  return cause && /^-?\d{1,9}$/.test(String(cause['message'])) ? String(cause['message']) : undefined
}

/** The command has run and ended: no failure of this server. */
function exited(exitCode: string): CommandOutcome {
  return {
    code: 200,
    status: {
      metadata: {},
      status: 'Failure',
      message: `command terminated with non-zero exit code: command terminated with exit code ${exitCode}`,
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: exitCode }] },
    },
  }
}
