import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  validateDns1123Subdomain,
  validatePortNumber,
} from '../../object/index.ts'

/** The address of a webhook, also of a CustomResourceDefinition's conversion. */
interface ClientConfig {
  readonly url?: string
  readonly service?: {
    readonly namespace: string
    readonly name: string
    readonly path?: string
    readonly port?: number
  }
}

export function checkClientConfig(errors: FieldError[], config: ClientConfig, path: FieldPath): void {
  const { url, service } = config
  if ((url === undefined) === (service === undefined))
    errors.push(fieldErrors.required(path, 'exactly one of url or service is required'))
  else if (url !== undefined) checkUrl(errors, url, path.child('url'))
  else if (service) checkService(errors, service, path.child('service'))
}

function checkUrl(errors: FieldError[], text: string, path: FieldPath): void {
  const form = '; desired format: https://host[/path]'
  const parsed = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/(?:([^/?#]*)@)?([^/?#@]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s.exec(
    text,
  )
  // eslint-disable-next-line no-control-regex -- a control character makes it no URL
  if (/[\x00-\x20\x7f]/.test(text) || text.startsWith(':')) {
    const why = `parse ${JSON.stringify(text)}: invalid URL`
    errors.push(fieldErrors.required(path, `url must be a valid URL: ${why}${form}`))
    return
  }
  const [, scheme = '', user, host = '', query = '', fragment = ''] = parsed ?? []
  if (scheme.toLowerCase() !== 'https')
    errors.push(fieldErrors.invalid(path, scheme, `'https' is the only allowed URL scheme${form}`))
  if (host === '') errors.push(fieldErrors.invalid(path, host, `host must be specified${form}`))
  if (user !== undefined) errors.push(fieldErrors.invalid(path, user, 'user information is not permitted in the URL'))
  if (fragment !== '') errors.push(fieldErrors.invalid(path, fragment, 'fragments are not permitted in the URL'))
  if (query !== '') errors.push(fieldErrors.invalid(path, query, 'query parameters are not permitted in the URL'))
}

/** A missing name is reported at the namespace and a missing namespace at the name, as clients know it. */
function checkService(errors: FieldError[], service: NonNullable<ClientConfig['service']>, path: FieldPath): void {
  if (service.namespace === '') errors.push(fieldErrors.required(path.child('name')))
  if (service.name === '') errors.push(fieldErrors.required(path.child('namespace')))
  const findings = validatePortNumber(service.port ?? 0)
  if (findings.length > 0)
    errors.push(fieldErrors.invalid(path.child('port'), service.port, `port is not valid: ${findings.join(',')}`))
  if (service.path !== undefined) checkUrlPath(errors, service.path, path.child('path'))
}

function checkUrlPath(errors: FieldError[], text: string, path: FieldPath): void {
  if (text === '' || text === '/') return
  if (text === '//') {
    errors.push(fieldErrors.invalid(path, text, 'segment[0] may not be empty'))
    return
  }
  if (!text.startsWith('/')) errors.push(fieldErrors.invalid(path, text, "must start with a '/'"))
  const segments = text.slice(1).replace(/\/$/, '').split('/')
  segments.forEach((segment, index) => {
    if (segment === '') errors.push(fieldErrors.invalid(path, text, `segment[${index}] may not be empty`))
    else
      for (const finding of validateDns1123Subdomain(segment))
        errors.push(fieldErrors.invalid(path, text, `segment[${index}]: ${finding}`))
  })
}
