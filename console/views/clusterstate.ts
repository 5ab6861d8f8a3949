import { type ControllerFailure, failuresPath, readFailures } from '../api/failures.ts'
import { readList } from '../api/lists.ts'
import { session } from '../api/session.ts'
import { Age } from '../parts/age.ts'
import { html } from '../parts/html.ts'
import { ObjectLink } from '../parts/objectlink.ts'
import { PlainTable } from '../parts/plaintable.ts'
import { usePolled } from '../parts/usepolled.ts'
import { certificateEndMs, tokenEndMs } from '../state/endings.ts'
import { largest, observed, type Sample } from '../state/observed.ts'
import { readable } from '../state/quantity.ts'
import { linkTo } from '../state/route.ts'
import { storeServers, storeSizes } from '../state/stores.ts'
import { now } from '../state/time.ts'
import { type ApiObject, fieldOf, metadataOf, text } from '../state/values.ts'
import { visible } from '../state/visible.ts'
import { texts } from '../text.ts'

const everyMs = 10_000
const rowsMax = 12
/** What ends within a month is to be renewed. */
const soonMs = 30 * 86_400_000

/** The replicas of the API server and the leaders of other programs, by their leases. */
export function Leases() {
  const leases = usePolled(
    async (signal) => await readList('coordination.k8s.io', 'leases', { namespace: 'kube-system', signal }),
    { everyMs, inputs: [session.value?.seenAs] },
  )
  const isReplica = (lease: ApiObject): boolean =>
    fieldOf(metadataOf(lease)['labels'], 'apiserver.kubernetes.io/identity') === 'kube-apiserver'
  const held = (leases ?? []).filter((lease) => text(fieldOf(lease, 'spec', 'holderIdentity')) !== '')
  return html`
    <${LeaseRows} title=${texts.replicaServers} leases=${held.filter(isReplica)} />
    <${LeaseRows} title=${texts.leaders} leases=${held.filter((lease) => !isReplica(lease))} />
  `
}

function LeaseRows({ title, leases }: { readonly title: string; readonly leases: readonly ApiObject[] }) {
  if (leases.length === 0) return null
  return html`
    <h2>${title}</h2>
    <${PlainTable} label=${title} columns=${[texts.lease, texts.holder, texts.renewed, texts.state]}>
      ${leases.map((lease) => {
        const renewedMs = Date.parse(text(fieldOf(lease, 'spec', 'renewTime')))
        const isCurrent = renewedMs + Number(fieldOf(lease, 'spec', 'leaseDurationSeconds') ?? 0) * 1000 >= now.value
        return html`
          <tr>
            <th scope="row">${text(metadataOf(lease)['name'])}</th>
            <td>${text(fieldOf(lease, 'spec', 'holderIdentity'))}</td>
            <td><${Age} ofMs=${renewedMs} /></td>
            <td class=${isCurrent ? '' : 'problem'}>${isCurrent ? texts.current : texts.expired}</td>
          </tr>
        `
      })}
    <//>
  `
}

/** Servers of the stores, queues of controllers in this process, and objects by kind, from the metrics. */
export function MetricTables() {
  const samples = observed.value
  return html`
    <${StoreServers} samples=${samples} />
    <${Objects} samples=${samples} />
    <${Queues} samples=${samples} />
  `
}

/** Cards beside the others of the overview. */
export function Stores({ samples }: { readonly samples: readonly Sample[] }) {
  const stores = storeSizes(samples)
  const revision = largest(samples, 'apiserver_watch_cache_resource_version')
  return stores.map(
    ({ store, bytes, compactedRevision }) => html`
      <div class="card" key=${store}>
        <h2>${texts.storeSize} ${stores.length > 1 ? store : ''}</h2>
        <p class="figure">${readable('storage', bytes)}B</p>
        <p class="hint">${texts.revisions(revision, compactedRevision)}</p>
      </div>
    `,
  )
}

function StoreServers({ samples }: { readonly samples: readonly Sample[] }) {
  const servers = storeServers(samples)
  if (servers.length === 0) return null
  return html`
    <h2>${texts.storeServers}</h2>
    <${PlainTable} label=${texts.storeServers} columns=${[texts.address, texts.store, texts.state, texts.size]}>
      ${servers.map(
        ({ store, endpoint, isUp, isLeader, bytes }) => html`
          <tr key=${`${store} ${endpoint}`}>
            <th scope="row">${visible(endpoint)}</th><td>${store}</td>
            <td class=${isUp ? '' : 'problem'}>${isUp ? (isLeader ? texts.leads : texts.follows) : texts.noAnswer}</td>
            <td>${bytes === undefined ? '' : `${readable('storage', bytes)}B`}</td>
          </tr>
        `,
      )}
    <//>
  `
}

function Objects({ samples }: { readonly samples: readonly Sample[] }) {
  const counts = samples.filter(({ name, value }) => name === 'apiserver_resource_objects' && value > 0)
  if (counts.length === 0) return null
  const most = counts.toSorted((a, b) => b.value - a.value).slice(0, rowsMax)
  return html`
    <h2>${texts.objectsByKind}</h2>
    <ul class="counts" aria-label=${texts.objectsByKind}>
      ${most.map(({ labels: { group = '', resource = '' }, value }) => html`<li key=${group + resource}><a href=${linkTo({ group, resource })}>${resource}</a> ${value}</li>`)}
    </ul>
  `
}

const queuesMax = 30

/** Those with work first, then those that failed, the newest first, then those that retried the most. */
function Queues({ samples }: { readonly samples: readonly Sample[] }) {
  const values = (metric: string): ReadonlyMap<string, number> =>
    new Map(samples.flatMap(({ name, labels, value }) => (name === metric ? [[labels['name'] ?? '', value]] : [])))
  const depths = values('workqueue_depth')
  const retries = values('workqueue_retries_total')
  const longest = values('workqueue_longest_running_processor_seconds')
  const lastRetry = values('pilothouse_workqueue_last_retry_timestamp_seconds')
  const failures = usePolled(readFailures, { everyMs, inputs: [session.value?.seenAs] })
  const known = failures && 'byQueue' in failures ? failures.byQueue : undefined
  const weight = (name: string): number => (depths.get(name) ?? 0) + (retries.get(name) ?? 0)
  const all = new Set([...retries.keys(), ...(known?.keys() ?? [])])
  const busy = [...all].filter((name) => weight(name) > 0 || (longest.get(name) ?? 0) > 1 || known?.has(name))
  if (busy.length === 0) return null
  const failedMs = (name: string): number => known?.get(name)?.atMs ?? 0
  const depth = (name: string): number => depths.get(name) ?? 0
  const shown = busy
    .sort((a, b) => depth(b) - depth(a) || failedMs(b) - failedMs(a) || weight(b) - weight(a))
    .slice(0, queuesMax)
  return html`
    <h2>${texts.queues}</h2>
    <${PlainTable} label=${texts.queues} columns=${[texts.controller, texts.waiting, texts.retries, texts.longestTurn, texts.lastRetry, ...(known ? [texts.lastError] : [])]}>
      ${shown.map((name) => {
        const failure = known?.get(name)
        const latestMs = failure?.atMs ?? (lastRetry.get(name) ?? Number.NaN) * 1000
        return html`
          <tr key=${name}>
            <th scope="row">${name}</th><td>${depths.get(name) ?? 0}</td><td>${retries.get(name) ?? 0}</td>
            <td>${(longest.get(name) ?? 0).toFixed(1)} s</td>
            <td><${Age} ofMs=${latestMs} /></td>
            ${known && html`<td>${failure && html`<${Failure} of=${failure} />`}</td>`}
          </tr>
        `
      })}
    <//>
    ${failures && 'lack' in failures && html`<p class="hint">${texts.noFailures[failures.lack](failures.user, failuresPath)}</p>`}
  `
}

function Failure({ of: { key, message, isOver } }: { readonly of: ControllerFailure }) {
  return html`
    <strong>${visible(key)}</strong> ${visible(message)} <small>${isOver ? texts.failureIsOver : ''}</small>
  `
}

/** The token of the session and the certificates in secrets that end within a month, or have ended. */
export function EndingSoon() {
  const secrets = usePolled(
    async (signal) => await readList('', 'secrets', { fieldSelector: 'type=kubernetes.io/tls', signal }),
    { everyMs: 60_000, inputs: [session.value?.seenAs] },
  )
  const until = now.value + soonMs
  const ofToken = tokenEndMs(session.value?.token ?? '')
  const certificates = (secrets ?? []).flatMap((secret) => {
    const endMs = endOf(secret)
    return endMs !== undefined && endMs < until ? [{ secret, endMs }] : []
  })
  if (ofToken === undefined && certificates.length === 0) return null
  return html`
    <h2>${texts.endsSoon}</h2>
    <${PlainTable} label=${texts.endsSoon}>
      ${ofToken !== undefined && ofToken < until && html`<tr><th scope="row">${texts.yourToken}</th><td><${Until} ms=${ofToken} /></td></tr>`}
      ${certificates.map(({ secret, endMs }) => {
        const { name, namespace } = metadataOf(secret)
        return html`
          <tr>
            <th scope="row">${text(namespace)} / <${ObjectLink} resource="secrets" namespace=${text(namespace)} name=${text(name)} /></th>
            <td><${Until} ms=${endMs} /></td>
          </tr>
        `
      })}
    <//>
  `
}

function endOf(secret: ApiObject): number | undefined {
  try {
    return certificateEndMs(atob(text(fieldOf(secret, 'data', 'tls.crt'))))
  } catch {
    return undefined
  }
}

function Until({ ms }: { readonly ms: number }) {
  const days = Math.floor((ms - now.value) / 86_400_000)
  const isOver = ms <= now.value
  return html`<span class=${isOver ? 'problem' : ''}>${isOver ? texts.expired : `${days} ${texts.days}`} <time datetime=${new Date(ms).toISOString()}>${new Date(ms).toLocaleString()}</time></span>`
}
