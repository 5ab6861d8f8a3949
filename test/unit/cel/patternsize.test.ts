import assert from 'node:assert/strict'
import { RE2JS } from 're2js'
import { patternSize, patternSizeMax } from '../../../lib/cel/index.ts'
import { threadCpuMs } from '../../support/cputime.ts'

const usual: readonly string[] = [
  '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
  '^(([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\.){3}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])$',
  '^[a-zA-Z0-9]{1,1000}$',
  '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
  '^[^\\]\\[:]{1,500}[[:alpha:]]$',
  '^\\Q(a{1000}){1000}\\E$',
]

const tooLarge: readonly string[] = [
  '(a?){1,1000}'.repeat(100),
  `(${'[^a]'.repeat(500)}){1000}`,
  `(${'\\pL'.repeat(40)}){1,1000}`,
  `(?i)${'[a-zà-ÿ]'.repeat(20_000)}`,
  '((((a{9}){9}){9}){9}){9}',
  'a'.repeat(50_000),
]

describe('the size of a pattern', () => {
  for (const pattern of usual)
    it(`the size of ${pattern} is small`, () => {
      assert(patternSize(pattern) < patternSizeMax / 4, `${patternSize(pattern)}`)
      RE2JS.compile(pattern)
    })

  for (const pattern of tooLarge)
    it(`the size of ${pattern.slice(0, 30)}… is beyond the limit`, () => {
      assert(patternSize(pattern) > patternSizeMax, `${patternSize(pattern)}`)
    })

  it('is at least the length of its program, and a pattern within the limit compiles quickly', () => {
    const atoms = ['a', '.', '[a-z0-9]', '(ab|c)', '\\pL', '(x(y?z){1,9})', '[^\\d\\]]']
    for (const atom of atoms)
      for (const repeat of ['', '*', '{7}', '{2,300}', '{50,}']) {
        const pattern = `${atom}${repeat}`.repeat(20)
        if (patternSize(pattern) > patternSizeMax) continue
        const began = threadCpuMs()
        const program = RE2JS.compile(pattern)
        assert(threadCpuMs() - began < 200, pattern)
        assert(3 * patternSize(pattern) > program.programSize(), `${pattern}: ${program.programSize()}`)
      }
  })

  it('is found in one pass', () => {
    for (const pattern of ['('.repeat(100_000), '['.repeat(100_000), '{'.repeat(100_000), '\\p{'.repeat(50_000)]) {
      const began = threadCpuMs()
      patternSize(pattern)
      assert(threadCpuMs() - began < 100, pattern.slice(0, 10))
    }
  })
})
