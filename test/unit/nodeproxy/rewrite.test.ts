import assert from 'node:assert/strict'
import fc from 'fast-check'
import { createHtmlRewriter } from '../../../lib/nodeproxy/rewrite/html.ts'
import { rewriteLink } from '../../../lib/nodeproxy/rewrite/link.ts'

const prefix = '/api/v1/namespaces/default/services/web/proxy'
const context = { prefix, hosts: new Set(['10.0.0.1:80', 'api.example:6443']) }

async function rewritten(chunks: readonly Buffer[]): Promise<string> {
  const rewriter = createHtmlRewriter(context)
  for (const chunk of chunks) rewriter.write(chunk)
  rewriter.end()
  const parts: Buffer[] = []
  for await (const part of rewriter as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts).toString()
}
const page = (text: string): Promise<string> => rewritten([Buffer.from(text)])

describe('links of a proxied page', () => {
  const links: readonly (readonly [string, string])[] = [
    ['/a/b?c=1#d', `${prefix}/a/b?c=1#d`],
    ['/', `${prefix}/`],
    ['http://10.0.0.1:80/a', `${prefix}/a`],
    ['//api.example:6443/a', `${prefix}/a`],
    ['https://elsewhere.example/a', 'https://elsewhere.example/a'],
    ['a/b', 'a/b'],
    ['../a', '../a'],
    ['?q=1', '?q=1'],
    ['#top', '#top'],
    ['', ''],
    ['mailto:a@b', 'mailto:a@b'],
    ['javascript:/a/', 'javascript:/a/'],
    [`${prefix}/a`, `${prefix}/a`],
    ['http://10.0.0.1:80', 'http://10.0.0.1:80'],
  ]
  for (const [from, to] of links) it(`"${from}" becomes "${to}"`, () => assert.equal(rewriteLink(from, context), to))

  const pages: readonly (readonly [string, string, string])[] = [
    [
      'in attributes of any quoting',
      `<a href="/x">1</a><img src='/y' alt="/z"><A HREF=/w>`,
      `<a href="${prefix}/x">1</a><img src='${prefix}/y' alt="/z"><A HREF="${prefix}/w">`,
    ],
    [
      'of several attributes of one element',
      '<video src="/v" poster="/p" data-src="/d">',
      `<video src="${prefix}/v" poster="${prefix}/p" data-src="/d">`,
    ],
    [
      'but not in comments, scripts and styles',
      '<!-- <a href="/x"> --><script>"<a href=\\"/x\\">"</script><style>/* <a href="/x"> */</style>',
      '<!-- <a href="/x"> --><script>"<a href=\\"/x\\">"</script><style>/* <a href="/x"> */</style>',
    ],
    [
      'of a script itself',
      '<script src="/s.js"></script><a href="/x">',
      `<script src="${prefix}/s.js"></script><a href="${prefix}/x">`,
    ],
    ['behind text with stray marks', 'a < b > c <<a href="/x">', `a < b > c <<a href="${prefix}/x">`],
    ['with a mark within quotes', '<a title="a > b" href="/x">', `<a title="a > b" href="${prefix}/x">`],
    ['but not of elements without links', '<p href="/x"><div src="/y">', '<p href="/x"><div src="/y">'],
    ['but not in a tag that never ends', '<a href="/x"', '<a href="/x"'],
  ]
  for (const [what, from, to] of pages) it(`are changed ${what}`, async () => assert.equal(await page(from), to))

  it('are changed alike however the page is cut into pieces', async () => {
    const text = pages
      .map(([, from]) => from)
      .slice(0, -1)
      .join('ü\n')
    const whole = await page(text)
    const bytes = Buffer.from(text)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
        const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end))
        assert.equal(await rewritten(chunks), whole)
      }),
      { numRuns: 200 },
    )
  })

  it('leave pages without links unchanged, in any charset', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const text = Buffer.from(bytes).toString('latin1').replaceAll('<', '(')
        const rewriter = createHtmlRewriter(context)
        rewriter.end(Buffer.from(text, 'latin1'))
        const parts: Buffer[] = []
        for await (const part of rewriter as AsyncIterable<Buffer>) parts.push(part)
        assert.equal(Buffer.concat(parts).toString('latin1'), text)
      }),
    )
  })

  it('are found without buffering a page that never ends a tag', async () => {
    const rewriter = createHtmlRewriter(context)
    let bytes = 0
    rewriter.on('data', (part: Buffer) => (bytes += part.length))
    const ended = new Promise((done) => rewriter.on('end', done))
    const start = performance.now()
    rewriter.write('<a href="')
    for (let round = 0; round < 50; round++) rewriter.write(Buffer.alloc(16_384, 'x'))
    rewriter.end()
    await ended
    assert.equal(bytes, 9 + 50 * 16_384)
    assert.ok(performance.now() - start < 5000)
  })
})
