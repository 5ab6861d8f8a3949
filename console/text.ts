/** Every sentence that the page shows, in English. */
export const texts = {
  title: 'Pilothouse',
  signIn: 'Sign in',
  signInHint: 'A bearer token, or a kubeconfig that holds one. It stays in this page until you sign out or reload.',
  signInCertificate: 'Use the client certificate of this browser',
  signInRefused: 'The server does not accept this credential.',
  credential: 'Token or kubeconfig',
  signOut: 'Sign out',
  seeAs: 'See as',
  seeAsHint: 'Requests are made as this user, if you may impersonate.',
  overview: 'Overview',
  favourites: 'Workloads and more',
  allKinds: 'All kinds',
  allNamespaces: 'All namespaces',
  namespace: 'Namespace',
  search: 'Filter by name',
  labels: 'Labels',
  fields: 'Fields',
  create: 'Create',
  nothingHere: 'Nothing here.',
  nothingMatches: 'Nothing matches the filter.',
  loading: 'Loading…',
  live: 'live',
  behind: 'not current: trying to reach the server again',
  refused: 'refused',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Review changes',
  apply: 'Apply',
  reload: 'Reload',
  edit: 'YAML',
  summary: 'Summary',
  events: 'Events',
  logs: 'Logs',
  terminal: 'Terminal',
  blame: 'Managed fields',
  delete: 'Delete',
  restart: 'Restart',
  scale: 'Scale',
  replicas: 'Replicas',
  follow: 'Follow',
  download: 'Download',
  previous: 'Previous container',
  container: 'Container',
  wrap: 'Wrap',
  searchLogs: 'Find in logs',
  noChanges: 'Nothing would change.',
  reviewHint: 'The server would store this. Lines that change:',
  conflict: 'The object has changed meanwhile. Reload it and repeat your change.',
  deleteQuestion: 'Delete this object and what it owns?',
  conditions: 'Conditions',
  owners: 'Owned by',
  metadata: 'Metadata',
  none: 'none',
  gone: 'This object has been deleted.',
  keys: 'Keyboard',
  help: [
    ['/', 'filter by name'],
    ['Ctrl K', 'go to a kind'],
    ['g o', 'overview'],
    ['g p', 'pods'],
    ['g d', 'deployments'],
    ['g n', 'nodes'],
    ['j, k', 'next and previous row'],
    ['Enter', 'open the row'],
    ['e', 'YAML of the open object'],
    ['l', 'its logs'],
    ['s', 'a shell in it'],
    ['Esc', 'back'],
    ['?', 'this list'],
  ],
  goToKind: 'Go to a kind',
  objects: 'Objects',
  version: 'Version',
  nodes: 'Nodes',
  ready: 'ready',
  notReady: 'not ready',
  warnings: 'Latest warnings',
  connecting: 'connecting',
  connected: 'connected',
  ended: 'ended',
  shell: 'Command',
  shellOpen: 'Open',
} as const

/** Ages as tables show them: 5s, 12m, 3h, 40d. */
export function age(sinceMs: number, nowMs: number): string {
  if (Number.isNaN(sinceMs)) return ''
  const seconds = Math.max(0, Math.floor((nowMs - sinceMs) / 1000))
  if (seconds < 120) return `${seconds}s`
  if (seconds < 2 * 3600) return `${Math.floor(seconds / 60)}m`
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)}h`
  return `${Math.floor(seconds / 86_400)}d`
}

/** What an error means for the user, and what to do about it. */
export function explain(code: number, message: string): string {
  if (code === 0) return `${message}. Check the network and that the server runs; the page goes on by itself.`
  if (code === 401) return 'The credential is no longer accepted. Sign in again.'
  if (code === 403) return `${message}. Ask whoever administers the cluster for this right.`
  if (code === 429) return 'The server is busy. Wait a moment and try again.'
  return message
}
