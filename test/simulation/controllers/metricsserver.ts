import { resources } from '../../../api/gen/resources.ts'
import type { Clock } from '../../../lib/base/index.ts'
import { formatTime } from '../../../lib/object/index.ts'
import type { Truth } from './truth.ts'
import { isReady } from './view.ts'

/** Thousandths of a processor that each pod is to use on average. */
export const targetMilli = 100

/** The server of the metrics API: the load of each workload is spread evenly over its ready pods. */
export class MetricsServer {
  /** In thousandths of a processor, by namespace and app. */
  readonly loads = new Map<string, number>()
  readonly #truth: Truth
  readonly #clock: Clock

  constructor(truth: Truth, clock: Clock) {
    this.#truth = truth
    this.#clock = clock
  }

  /** The answer to a request for metrics; undefined: another server's. */
  answer(url: string): unknown {
    const [, namespace = '', query = ''] =
      /^\/apis\/metrics\.k8s\.io\/v1beta1\/namespaces\/([^/]+)\/pods\?(.*)$/.exec(url) ?? []
    if (namespace === '') return undefined
    const app = /^app=(.*)$/.exec(new URLSearchParams(query).get('labelSelector') ?? '')?.[1] ?? ''
    const pods = this.#truth
      .all(resources.core.v1.pods)
      .filter((pod) => pod.metadata.namespace === namespace && pod.metadata.labels?.['app'] === app && isReady(pod))
    const cpu = `${Math.round((this.loads.get(`${namespace}/${app}`) ?? 0) / Math.max(1, pods.length))}m`
    const timestamp = formatTime(this.#clock.now())
    return {
      items: pods.map(({ metadata: { name } }) => ({
        metadata: { name },
        timestamp,
        window: '1s',
        containers: [{ name: 'c', usage: { cpu } }],
      })),
    }
  }
}
