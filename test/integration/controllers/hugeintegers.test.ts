import assert from 'node:assert/strict'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'

/** The largest int64: objects hold it as a bigint, with which no number is reckoned. */
const huge = '9223372036854775807'
const home = '/api/v1/namespaces/x'

describe('times of as many seconds as an int64 can say', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane({
      controllers: [
        'job-controller',
        'cronjob-controller',
        'namespace-controller',
        'taint-eviction-controller',
        'resourcequota-controller',
        'statefulset-controller',
      ],
    })
    await send('POST', '/api/v1/namespaces', '{"metadata":{"name":"x"}}')
    await send('POST', `${home}/serviceaccounts`, '{"metadata":{"name":"default"}}')
    await send('POST', '/api/v1/nodes', '{"metadata":{"name":"n"}}')
  })
  after(async () => {
    await plane.stop()
  })

  // oxlint-disable-next-line typescript/no-explicit-any -- bodies of any shape
  type Body = any
  const send = async (method: string, path: string, body?: string): Promise<Body> => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const answer = await plane.fetch(path, { method, headers: { 'content-type': type }, ...(body ? { body } : {}) })
    const text = await answer.text()
    assert.ok(answer.status < 300, text)
    return { ...JSON.parse(text), text }
  }
  const containers = '"containers":[{"name":"c","image":"i"}]'
  const pod = async (name: string, spec: string): Promise<Body> =>
    await send(
      'POST',
      `${home}/pods`,
      `{"metadata":{"name":"${name}"},"spec":{"nodeName":"n","automountServiceAccountToken":false,${containers},${spec}}}`,
    )

  it('are deadlines that jobs and cron jobs never reach', async () => {
    const job = `"template":{"spec":{"restartPolicy":"Never",${containers}}}`
    await send(
      'POST',
      '/apis/batch/v1/namespaces/x/jobs',
      `{"metadata":{"name":"j"},"spec":{"activeDeadlineSeconds":${huge},${job}}}`,
    )
    const status = async (): Promise<Body> => (await send('GET', '/apis/batch/v1/namespaces/x/jobs/j')).status
    await eventuallyEquals(async () => (await status()).active, 1, 'the job has its pod')
    await send(
      'POST',
      '/apis/batch/v1/namespaces/x/cronjobs',
      `{"metadata":{"name":"c"},"spec":{"schedule":"* * * * *","startingDeadlineSeconds":${huge},"jobTemplate":{"spec":{${job}}}}}`,
    )
    const lastScheduleTime = new Date(Date.now() - 90_000).toISOString().replace(/\.\d+/, '')
    await send(
      'PATCH',
      '/apis/batch/v1/namespaces/x/cronjobs/c/status',
      `{"status":{"lastScheduleTime":"${lastScheduleTime}"}}`,
    )
    await eventually(
      async () =>
        (await send('GET', '/apis/batch/v1/namespaces/x/jobs')).items.some(({ metadata }: Body) =>
          metadata.name.startsWith('c-'),
        ),
      'the cron job starts the run that is due',
    )
  })

  it('are tolerated until the taint is removed from the node', async () => {
    const tolerate = (seconds: string): string =>
      `"tolerations":[{"operator":"Exists","effect":"NoExecute","tolerationSeconds":${seconds}}]`
    await pod('patient', tolerate(huge))
    await pod('hasty', tolerate('1'))
    await send('PATCH', '/api/v1/nodes/n', '{"spec":{"taints":[{"key":"a","effect":"NoExecute"}]}}')
    const isGoing = async (name: string): Promise<boolean> =>
      (await send('GET', `${home}/pods/${name}`)).metadata.deletionTimestamp !== undefined
    await eventually(() => isGoing('hasty'), 'the other pod goes')
    assert.equal(await isGoing('patient'), false)
    await send('PATCH', '/api/v1/nodes/n', '{"spec":{"taints":null}}')
    await eventually(
      async () =>
        (await send('GET', `${home}/events`)).items.some(
          ({ message }: Body) => message === 'Cancelling deletion of Pod x/patient',
        ),
      'its deletion is cancelled',
    )
  })

  it('are grace periods of pods, whoever sets them', async () => {
    await send('POST', `${home}/resourcequotas`, '{"metadata":{"name":"q"},"spec":{"hard":{"pods":"100"}}}')
    await pod('own', `"terminationGracePeriodSeconds":${huge}`)
    const own = await send('DELETE', `${home}/pods/own`)
    assert.match(own.metadata.deletionTimestamp, /^23\d\d-/)
    assert.match(own.text, new RegExp(`"deletionGracePeriodSeconds":${huge}[,}]`))
    await pod('asked', '"terminationGracePeriodSeconds":1')
    assert.match(
      (await send('DELETE', `${home}/pods/asked?gracePeriodSeconds=${huge}`)).metadata.deletionTimestamp,
      /^23/,
    )
    await pod('body', '"terminationGracePeriodSeconds":1')
    const body = await send(
      'DELETE',
      `${home}/pods/body`,
      `{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":${huge}}`,
    )
    assert.match(body.metadata.deletionTimestamp, /^23/)
    // A pod is charged while it ends: the quota counts it.
    const used = async (): Promise<number> =>
      Number((await send('GET', `${home}/resourcequotas/q`)).status.used?.pods ?? 0)
    await eventually(async () => (await used()) >= 3, 'the quota counts them')
    const sooner = await send('DELETE', `${home}/pods/own?gracePeriodSeconds=30`)
    assert.ok(Math.abs(Date.parse(sooner.metadata.deletionTimestamp) - Date.now() - 30_000) < 20_000)
  })

  it('do not keep a namespace from reporting its remaining objects', async () => {
    await send('DELETE', '/api/v1/namespaces/x')
    await eventually(async () => {
      const { status } = await send('GET', '/api/v1/namespaces/x')
      return (status.conditions ?? []).some(
        ({ type, status: is }: Body) => type === 'NamespaceContentRemaining' && is === 'True',
      )
    }, 'its pods remain')
    const { status } = await send('GET', '/api/v1/namespaces/x')
    const failure = status.conditions.find(({ type }: Body) => type === 'NamespaceDeletionContentFailure')
    assert.equal(failure.status, 'False', failure.message)
  })
})
