import { refusesToCreate } from '../../../support/kindcases.ts'
import { valid } from '../../../support/valid/CronJob.ts'

const unknown = (zone: string): string => `spec.timeZone: Invalid value: "${zone}": unknown time zone ${zone}`

describe('kinds: cron jobs', () => {
  refusesToCreate(valid, [
    ['a time zone', (o) => (o.spec.timeZone = 'Europe/Berlin'), []],
    ['an older name of one', (o) => (o.spec.timeZone = 'Asia/Calcutta'), []],
    ['a time zone in lower case', (o) => (o.spec.timeZone = 'europe/berlin'), [unknown('europe/berlin')]],
    ['no time zone', (o) => (o.spec.timeZone = 'Mars/Olympus'), [unknown('Mars/Olympus')]],
    ['a difference', (o) => (o.spec.timeZone = '+01:00'), [unknown('+01:00')]],
  ])
})
