import { bool, commaList, durationMs, float, integer, ipAddress, keyValues, text } from '../../../lib/flags/index.ts'

export const generic = {
  'advertise-address': ipAddress(
    '',
    "IP address under which the members of the cluster reach this server. Empty: --bind-address, or this host's when that is a wildcard or loopback.",
  ),
  'cors-allowed-origins': commaList(
    [],
    'Regular expressions; browsers get CORS headers for origins that one of them matches.',
  ),
  'emulated-version': commaList(
    [],
    'Release to behave like, 1.33 to 1.36, as major.minor or kube=major.minor: its gates, the versions of APIs that it serves. ' +
      'Empty: 1.36.',
  ),
  'emulation-forward-compatible': bool(
    false,
    'Besides the versions that the emulated release serves, serve newer beta and stable ones of the same resources.',
  ),
  'external-hostname': text('', 'Host name for URLs that the server hands out.'),
  'feature-gates': keyValues('Features to switch on or off: Gate=true,Other=false.'),
  'goaway-chance': float(
    0,
    'Share of HTTP/2 requests (0 to 0.02) after which the client is asked to reconnect, to even out replicas.',
  ),
  'livez-grace-period': durationMs('0s', "How long after the start unfinished hooks don't count against /livez."),
  'max-mutating-requests-inflight': integer(200, 'Writes handled at once; more are turned away with 429. 0: no limit.'),
  'max-requests-inflight': integer(
    400,
    'Reads handled at once, watches aside; more are turned away with 429. 0: no limit.',
  ),
  'min-compatibility-version': commaList(
    [],
    'Oldest release of other replicas to get along with, as major.minor or kube=major.minor.',
  ),
  'min-request-timeout': integer(
    1800,
    'Seconds after which a watch ends at the earliest; the actual time is random up to twice that.',
    { min: 0 },
  ),
  processes: text(
    '1',
    'Processes that serve the port together, so that all processor cores are used; auto: as many as there are cores. More ' +
      'than one need etcd, and each holds a copy of what is stored. The in-flight limits are those of all together.',
  ),
  'request-timeout': durationMs('1m0s', 'Maximum time of a request, unless it is a watch or another long-running one.'),
  'runtime-config-emulation-forward-compatible': bool(
    false,
    'Serve what --runtime-config names even if it came after the emulated release.',
  ),
  'shutdown-delay-duration': durationMs(
    '0s',
    'How long to go on serving after the signal to stop, while /readyz fails.',
  ),
  'shutdown-send-retry-after': bool(false, 'While stopping, answer new requests with 429 and Retry-After.'),
  'shutdown-watch-termination-grace-period': durationMs(
    '0s',
    'Time over which watches are closed when the server stops.',
  ),
  'storage-initialization-timeout': durationMs('1m0s', 'How long to wait for the store at the start.'),
  'strict-transport-security-directives': commaList(
    [],
    'Directives for the Strict-Transport-Security header; empty leaves it out.',
  ),
} as const
