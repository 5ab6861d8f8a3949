import { type Proof, unless } from '../proof.ts'

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'constructor/prototype', '__proto__/toString']
/** Parents of the names: the object, objects within it, a list and a text. */
const places = ['', '/metadata', '/data', '/metadata/finalizers', '/metadata/name']

export const prototypes: Proof = {
  title: 'a JSON Patch reaches nothing through the names of prototypes',
  async run({ plane }) {
    const editor = plane.as('editor')
    const path = '/api/v1/namespaces/team/configmaps'
    const metadata = { name: 'proto', finalizers: ['attack.example.com/x'] }
    const left = unless([201], 'the object', await editor.ask('POST', path, { metadata, data: { a: 'b' } }))
    for (const place of places)
      for (const name of names) {
        const pointer = `${place}/${name}`
        const patches: readonly object[] = [
          { op: 'copy', from: pointer, path: '/metadata/annotations' },
          { op: 'copy', from: pointer, path: '/data/c' },
          { op: 'move', from: pointer, path: '/data/c' },
          { op: 'test', path: pointer, value: {} },
          { op: 'test', path: pointer, value: 'x' },
          { op: 'remove', path: pointer },
          { op: 'replace', path: pointer, value: {} },
          { op: 'add', path: `${pointer}/polluted`, value: 'yes' },
        ]
        for (const patch of patches) {
          const answer = await editor.ask('PATCH', `${path}/proto`, [patch], 'application/json-patch+json')
          left.push(...unless([422], JSON.stringify(patch), answer))
        }
      }
    await editor.ask('PATCH', `${path}/proto`, { metadata: { finalizers: null } }, 'application/merge-patch+json')
    await editor.ask('DELETE', `${path}/proto`)
    return left
  },
}
