import { statusErrors, validatePathSegmentName } from '../object/index.ts'

/** Keys below a resource's prefix: `<prefix><namespace>/<name>`, or `<prefix><name>` where there are no namespaces. */
export function createKeys(prefix: string, namespaced: boolean): (namespace: string, name: string) => string {
  return (namespace, name) => {
    if (name === '') throw statusErrors.badRequest('Name parameter required.')
    if (unfit.test(name) || name === '.' || name === '..') {
      const why = validatePathSegmentName(name).join(';')
      throw statusErrors.badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${why}`)
    }
    if (!namespaced) return prefix + name
    if (namespace === '') throw statusErrors.badRequest('Namespace parameter required.')
    if (unfit.test(namespace) || namespace === '.' || namespace === '..') {
      const why = validatePathSegmentName(namespace).join(';')
      throw statusErrors.badRequest(`Namespace parameter invalid: ${JSON.stringify(namespace)}: ${why}`)
    }
    return `${prefix}${namespace}/${name}`
  }
}

const unfit = /[/%]/
