import assert from 'node:assert/strict'
import { parseEmulation } from '../../../lib/features/index.ts'

const show = ({ major, minor }: { major: number; minor: number }): string => `${major}.${minor}`

describe('an emulated release', () => {
  const accepted: [string[], string[], string, string][] = [
    [[], [], '1.36', '1.35'],
    [['1.33'], [], '1.33', '1.32'],
    [['kube=1.36'], [], '1.36', '1.35'],
    [['v1.35'], ['1.33'], '1.35', '1.33'],
    [[], ['kube=1.32'], '1.36', '1.32'],
    [['1.34'], ['1.34'], '1.34', '1.34'],
  ]
  for (const [emulated, compatible, release, oldest] of accepted)
    it(`a release of ${JSON.stringify(emulated)} and ${JSON.stringify(compatible)} is ${release}, beside ${oldest}`, () => {
      const emulation = parseEmulation(emulated, compatible)
      assert.deepEqual([show(emulation.release), show(emulation.minCompatibility)], [release, oldest])
    })

  const refused: [string[], string[], string][] = [
    [['1.20'], [], 'emulation version 1.20 is not between [1.33, 1.36.0]'],
    [['1.37'], [], 'emulation version 1.37 is not between [1.33, 1.36.0]'],
    [['1.34'], ['1.35'], 'minCompatibilityVersion version 1.35 is not between [1.32, 1.34]'],
    [
      ['1.30'],
      ['1.35'],
      '[emulation version 1.30 is not between [1.33, 1.36.0], minCompatibilityVersion version 1.35 is not between [1.32, 1.30]]',
    ],
    [['kube=1.35.1'], [], 'patch version not allowed, got: kube=1.35.1'],
    [['kube=1.34', '1.35'], [], 'duplicate version flag, kube=1.34 and kube=1.35'],
    [['etcd=1.34'], [], 'component not registered: etcd'],
    [['kube=1=2'], [], 'malformed pair, expect string=string'],
    [['latest'], [], 'could not parse "latest" as version'],
    [[''], [], 'could not parse "" as version'],
    [['1.'.padEnd(40, '9')], [], `could not parse "${'1.'.padEnd(40, '9')}" as version`],
  ]
  for (const [emulated, compatible, message] of refused)
    it(`a release of ${JSON.stringify(emulated)} and ${JSON.stringify(compatible)} is refused`, () => {
      assert.throws(() => parseEmulation(emulated, compatible), { message })
    })
})
