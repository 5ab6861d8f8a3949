import {
  bool,
  commaList,
  durationMs,
  integer,
  labelledLists,
  quantity,
  text,
  verbosityPatterns,
} from '../../../lib/flags/index.ts'
import { without } from './without.ts'

export const features = {
  'contention-profiling': bool(false, 'Profile waiting for locks.', { ineffective: 'there are no locks to profile' }),
  'debug-socket-path': text('', 'Unix socket with the pages below /debug, for its owner, without authorization.'),
  'enable-priority-and-fairness': bool(true, 'Share the server fairly between users and priorities.', {
    ineffective: without.fairness,
  }),
  profiling: bool(true, 'Serve profiles below /debug/pprof.'),
} as const

export const metrics = {
  'allow-metric-labels': labelledLists(
    'Values of a label that are told apart: metric,label=value,value. Others count as unexpected.',
  ),
  'allow-metric-labels-manifest': text('', 'YAML file with the same.'),
  'disabled-metrics': commaList([], 'Metrics to switch off.'),
  'show-hidden-metrics-for-version': text(
    '',
    'Release before this one whose hidden metrics are shown, as major.minor.',
  ),
} as const

export const logs = {
  'log-flush-frequency': durationMs('5s', 'Longest time that log lines wait to be written.'),
  'log-text-info-buffer-size': quantity('0', 'Buffer of informational lines.', { ineffective: without.fixed }),
  'log-text-split-stream': bool(false, 'Write informational lines to the standard output.', {
    ineffective: without.fixed,
  }),
  'logging-format': text('text', 'text or json.'),
  v: integer(0, 'How much to log: 0 for what operators need, up to 10.', { short: 'v', min: 0, max: 2 ** 31 - 1 }),
  vmodule: verbosityPatterns('Other levels for some source files.', { ineffective: 'set --v for all' }),
} as const

export const traces = {
  'tracing-config-file': text('', 'File with the endpoint and rate of traces.', { ineffective: without.tracing }),
} as const
