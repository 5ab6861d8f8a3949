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

export const features = {
  'console-oidc-client-id': text('', 'Client, without a secret, as which the console signs users in.'),
  'console-oidc-issuer-url': text(
    '',
    'URL of the OpenID issuer at which the console signs users in, https. The API must accept its ID tokens, as by --oidc-issuer-url.',
  ),
  'console-oidc-scopes': commaList(
    ['openid', 'profile', 'email'],
    'Scopes that the console asks for. With offline_access, sessions outlast their tokens.',
  ),
  'contention-profiling': bool(false, 'Profile waiting for locks.', { ineffective: 'there are no locks to profile' }),
  'debug-socket-path': text('', 'Unix socket with the pages below /debug, for its owner, without authorization.'),
  'enable-console': bool(false, 'Serve the console, a page for browsers, at /console/.'),
  'enable-priority-and-fairness': bool(true, 'Share the server fairly between users and priorities.'),
  profiling: bool(true, 'Serve profiles below /debug/pprof.'),
} as const

export const metrics = {
  'allow-metric-labels': labelledLists(
    'Allowed values of a label: metric,label=value,value. Others are counted as unexpected.',
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
  'log-json-info-buffer-size': quantity('0', 'With --log-json-split-stream: bytes that are gathered before a write.'),
  'log-json-split-stream': bool(false, 'Write informational lines of --logging-format=json to the standard output.'),
  'log-text-info-buffer-size': quantity('0', 'With --log-text-split-stream: bytes that are gathered before a write.'),
  'log-text-split-stream': bool(false, 'Write informational lines of --logging-format=text to the standard output.'),
  'logging-format': text('text', 'text or json.'),
  v: integer(0, 'How much to log: 0 for what operators need, up to 10.', { short: 'v', min: 0, max: 2 ** 31 - 1 }),
  vmodule: verbosityPatterns('Further levels by the name in the lines: pattern=N, such as cache=4,auth*=2.'),
} as const

export const traces = {
  'tracing-config-file': text('', 'File with the endpoint and rate of traces.'),
} as const
