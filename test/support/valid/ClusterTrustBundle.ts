import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'certificates.k8s.io/v1beta1',
  kind: 'ClusterTrustBundle',
  metadata: { name: 'vv7-x' },
  spec: {
    trustBundle:
      '-----BEGIN CERTIFICATE-----\nMIIBcDCCARegAwIBAgIUcdwxe2b1TsjmIb/Wen+dkaV0H6wwCgYIKoZIzj0EAwIw\nDTELMAkGA1UEAwwCY2EwIBcNMjYxMTIxMDk0ODE3WhgPMjEyNjEwMjgwOTQ4MTda\nMA0xCzAJBgNVBAMMAmNhMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEQYIViPhe\nXWXXfYBbALpmyQLSrCf7sshDAk+Edo+OpTz1GEfL92GqePue/g/7NQlb9TPKXI5f\nKZ869AjVdXvkSKNTMFEwHQYDVR0OBBYEFPB4Lqlg+s4zCi0EAqy8q+n6wY/2MB8G\nA1UdIwQYMBaAFPB4Lqlg+s4zCi0EAqy8q+n6wY/2MA8GA1UdEwEB/wQFMAMBAf8w\nCgYIKoZIzj0EAwIDRwAwRAIga5TqPgW+iRQvVnPnrMWDANhCvjOkR73ua2Fw5bb+\ntDICIEhJSE+z7twCLeW61HtsET6xCZ7YNldfdRNSJMs0/XSk\n-----END CERTIFICATE-----\n',
  },
}
