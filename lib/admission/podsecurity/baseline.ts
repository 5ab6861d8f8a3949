import type * as core from '../../../api/gen/core/v1.ts'
import {
  type AnyContainer,
  type Check,
  containersOf,
  containersThat,
  counted,
  type PodShape,
  plural,
  quoted,
  type Run,
  setters,
  sorted,
  type Violation,
} from './check.ts'
import { appArmorProfile, seccompAnnotations, seccompBaseline } from './profiles.ts'

// biome-ignore format: a list of names
const capabilities = new Set([
  'AUDIT_WRITE', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'MKNOD', 'NET_BIND_SERVICE', 'SETFCAP', 'SETGID',
  'SETPCAP', 'SETUID', 'SYS_CHROOT',
])

function addedBeyond(allowed: ReadonlySet<string>, { securityContext }: AnyContainer): string[] {
  return (securityContext?.capabilities?.add ?? []).filter((name) => !allowed.has(name))
}

/** `containers "a" must not include "X" in …` for added capabilities beyond `allowed`; '' for none. */
export function forbiddenCapabilities({ spec }: PodShape, allowed: ReadonlySet<string>): string {
  const bad = containersThat(spec, (container) => addedBeyond(allowed, container).length > 0)
  if (bad.length === 0) return ''
  const names = sorted(containersOf(spec).flatMap((container) => addedBeyond(allowed, container)))
  return `${counted('container', bad)} must not include ${quoted(names)} in securityContext.capabilities.add`
}

function capabilitiesBaseline(pod: PodShape): Violation | undefined {
  const detail = forbiddenCapabilities(pod, capabilities)
  return detail === '' ? undefined : { reason: 'non-default capabilities', detail }
}

function hostNamespaces({ spec }: PodShape): Violation | undefined {
  const shared = (['hostIPC', 'hostNetwork', 'hostPID'] as const).filter((name) => spec[name])
  if (shared.length === 0) return undefined
  return { reason: 'host namespaces', detail: shared.map((name) => `${name}=true`).join(', ') }
}

function hostPathVolumes({ spec }: PodShape): Violation | undefined {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath).map(({ name }) => name)
  return names.length === 0 ? undefined : { reason: 'hostPath volumes', detail: counted('volume', names) }
}

function hostPorts({ spec }: PodShape): Violation | undefined {
  const portsOf = ({ ports = [] }: AnyContainer): string[] =>
    ports.flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : []))
  const bad = containersThat(spec, (container) => portsOf(container).length > 0)
  if (bad.length === 0) return undefined
  const ports = sorted(containersOf(spec).flatMap(portsOf))
  const verb = bad.length === 1 ? 'uses' : 'use'
  const detail = `${counted('container', bad)} ${verb} ${plural('hostPort', ports)} ${ports.join(', ')}`
  return { reason: 'hostPort', detail }
}

function privileged({ spec }: PodShape): Violation | undefined {
  const bad = containersThat(spec, ({ securityContext }) => securityContext?.privileged === true)
  if (bad.length === 0) return undefined
  return { reason: 'privileged', detail: `${counted('container', bad)} must not set securityContext.privileged=true` }
}

function procMount({ spec }: PodShape): Violation | undefined {
  const isBad = (mount: string | undefined): mount is string => mount !== undefined && mount !== 'Default'
  const bad = containersThat(spec, ({ securityContext }) => isBad(securityContext?.procMount))
  if (bad.length === 0) return undefined
  const mounts = sorted(
    containersOf(spec)
      .map(({ securityContext }) => securityContext?.procMount)
      .filter(isBad),
  )
  const detail = `${counted('container', bad)} must not set securityContext.procMount to ${quoted(mounts)}`
  return { reason: 'procMount', detail }
}

const typesAtFirst = ['', 'container_t', 'container_init_t', 'container_kvm_t']

function seLinuxOptions(types: readonly string[]): Run {
  const typeOf = (options: core.SELinuxOptions): string => options.type ?? ''
  const isBad = (options: core.SELinuxOptions | undefined): options is core.SELinuxOptions =>
    options !== undefined && Boolean(!types.includes(typeOf(options)) || options.user || options.role)
  return ({ spec }) => {
    const own = spec.securityContext?.seLinuxOptions
    const all = [own, ...containersOf(spec).map(({ securityContext }) => securityContext?.seLinuxOptions)].filter(isBad)
    if (all.length === 0) return undefined
    const badTypes = sorted(all.map(typeOf).filter((type) => !types.includes(type)))
    const what = [
      ...(badTypes.length > 0 ? [counted('type', badTypes)] : []),
      ...(all.some(({ user }) => user) ? ['user may not be set'] : []),
      ...(all.some(({ role }) => role) ? ['role may not be set'] : []),
    ]
    const bad = containersThat(spec, ({ securityContext }) => isBad(securityContext?.seLinuxOptions))
    const detail = `${setters(isBad(own), bad)} set forbidden securityContext.seLinuxOptions: ${what.join('; ')}`
    return { reason: 'seLinuxOptions', detail }
  }
}

const sysctlsAtFirst = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
]
const sysctls27 = [...sysctlsAtFirst, 'net.ipv4.ip_local_reserved_ports']
const sysctls29 = [
  ...sysctls27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
]
const sysctls32 = [...sysctls29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem']

function sysctls(allowed: readonly string[]): Run {
  return ({ spec }) => {
    const names = (spec.securityContext?.sysctls ?? [])
      .map(({ name }) => name)
      .filter((name) => !allowed.includes(name))
    return names.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: names.join(', ') }
  }
}

function windowsHostProcess({ spec }: PodShape): Violation | undefined {
  const own = spec.securityContext?.windowsOptions?.hostProcess === true
  const bad = containersThat(spec, ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true)
  if (!own && bad.length === 0) return undefined
  const detail = `${setters(own, bad)} must not set securityContext.windowsOptions.hostProcess=true`
  return { reason: 'hostProcess', detail }
}

const always = (run: Run): Check['versions'] => [{ since: 0, run }]

/** Rules of the level baseline, in the order of findings. */
export const baselineChecks: readonly Check[] = [
  { id: 'appArmorProfile', versions: always(appArmorProfile) },
  { id: 'capabilities_baseline', versions: always(capabilitiesBaseline) },
  { id: 'hostNamespaces', versions: always(hostNamespaces) },
  { id: 'hostPathVolumes', versions: always(hostPathVolumes) },
  { id: 'hostPorts', versions: always(hostPorts) },
  { id: 'privileged', versions: always(privileged) },
  { id: 'procMount', versions: always(procMount) },
  {
    id: 'seLinuxOptions',
    versions: [
      { since: 0, run: seLinuxOptions(typesAtFirst) },
      { since: 31, run: seLinuxOptions([...typesAtFirst, 'container_engine_t']) },
    ],
  },
  {
    id: 'seccompProfile_baseline',
    versions: [
      { since: 0, run: seccompAnnotations },
      { since: 19, run: seccompBaseline },
    ],
  },
  {
    id: 'sysctls',
    versions: [
      { since: 0, run: sysctls(sysctlsAtFirst) },
      { since: 27, run: sysctls(sysctls27) },
      { since: 29, run: sysctls(sysctls29) },
      { since: 32, run: sysctls(sysctls32) },
    ],
  },
  { id: 'windowsHostProcess', versions: always(windowsHostProcess) },
]
