import type { Tracer } from '../../base/index.ts'
import type { DescribeKey, Store } from '../../storage/index.ts'

/** A store whose reads and writes are spans of the requests that wait for them. */
export function createTracedStore(store: Store, tracer: Tracer, describeKey: DescribeKey): Store {
  const about = (key: string) => {
    const { group, resource } = describeKey(key)
    return { key, group, resource }
  }
  const traced: Pick<Store, 'get' | 'range' | 'create' | 'update' | 'delete'> = {
    get: (key, options) => tracer.within('Get etcd3', about(key), () => store.get(key, options)),
    range: (options) =>
      tracer.within(
        'List(recursive=true) etcd3',
        { ...about(options.start), limit: options.limit ?? 0, resourceVersion: String(options.revision ?? '') },
        () => store.range(options),
      ),
    create: (key, value, options) => tracer.within('Create etcd3', about(key), () => store.create(key, value, options)),
    update: (key, value, expected, options) =>
      tracer.within('GuaranteedUpdate etcd3', about(key), () => store.update(key, value, expected, options)),
    delete: (key, expected, options) =>
      tracer.within('Delete etcd3', about(key), () => store.delete(key, expected, options)),
  }
  return new Proxy(store, {
    get(target, name) {
      const own: unknown = Reflect.get(traced, name) ?? Reflect.get(target, name)
      return typeof own === 'function' ? own.bind(target) : own
    },
  })
}
