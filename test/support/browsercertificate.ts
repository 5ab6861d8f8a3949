import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type BrowserContext, chromium } from 'playwright-core'
import { browserFlags, browserPath } from './browser.ts'

/** Authority of the certificate below, PEM. */
export const browserAuthority = `-----BEGIN CERTIFICATE-----
MIIBjjCCATOgAwIBAgIUZlSFYVW8wKc1xURI1mH6/ntoME8wCgYIKoZIzj0EAwIw
EzERMA8GA1UEAwwIYnJvd3NlcnMwIBcNMjYxMTI3MjAxMDUwWhgPMjEyNjExMDMy
MDEwNTBaMBMxETAPBgNVBAMMCGJyb3dzZXJzMFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAEd8Vb/KUB+C+WMGUc10JAKRTh9bMZbudV5FLX0hALWkz4yiFExJsS5dbw
PEN7EGAt1YmmVOxNVXpp+RJ6QmbFkaNjMGEwHQYDVR0OBBYEFPyTRr03kk++SjxL
/kBU7sNtVuY4MB8GA1UdIwQYMBaAFPyTRr03kk++SjxL/kBU7sNtVuY4MA8GA1Ud
EwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoGCCqGSM49BAMCA0kAMEYCIQDc
HbfynCOytYsZMp7sI7UrKBrrln5n3Foh/Qigi1qESwIhAOLg9lTbTsem5Mr148cw
+gOcx5p2GUmUSLYVNQwh7Blu
-----END CERTIFICATE-----
`

// A client certificate of jane, a member of system:masters, valid until 2126, and its key, as Chromium keeps them (NSS): two
// databases, compressed. Made by openssl, with the authority above, as c.p12, then
//   certutil -N -d sql:nssdb --empty-password
//   pk12util -i c.p12 -d sql:nssdb -W x -K ''
const certificates =
  'H4sIAAAAAAACA+2cf2wURRTHZ3a3d9dft9iePVDwFhFtsZLZH7d3VcS2cMhBbWlp1VYF9q5HbG1L6LVBiRpAgYQoMZCQ8A+aIP5n' +
  'BPlLDGhCiIYECIkYFeMfapD4h2g0gpGoM2/LzYFnwBATIe+TzHffzNv35u3u3CZz/bG0s21gLGesXDU67I0ZNplEKCXNhkEIKeMt' +
  'SCQB3rSiPiVXp4zMztJq/QIJVJwllT/rRyr3Vg5WzuIdBEEQBEEQBPkPaQ4EotEY7R0Y6c89m33GG+gfyeeXjGeGBrLBeV2plu6U' +
  'kW6fn3rcAJ/R0W4U/Ea9ZzKrYW4ZZOiBDENeJjdUOCNwWQbwXZnBbpivBaK3x+hTEJ8fzwzmsmOFM8ouyzDh/XsVZkOLGohOuXQd' +
  'A/n8eG60cIp2WRLfeWWOpNmwuYMGo7EY3To85mWGcgVvwVAm8nS3tLaliqP5jVnSlX6kpavXWJzqNXra0509KTHDvI72BW3ped1G' +
  'S2tHV3ej4THeTN4s3mxhw4AYMcVQUnSTopuErjgl6QiJC3GFJIQkhTQJ8YRkuDRBKuYrZGQWqD+PAxoHdUEToEnQJlAPNAOahcL8' +
  '8vz6wLZ8GzJbkNmCzBZktiCzBZktyGxBZhtibYi1IdaGWBtiXfC64HXB64LX9b2Q2YXMCTgz6SvcR7hei/m2iLWgZpv5aoKKcQdG' +
  'HBhxJkZsUAc0DipmcSC/A/kdeA5xiI1DbJz5I34sxzJNafoPERCj2Vzcdux4kWlJ05amI824NF1pJqSZLJiuDHNlmCvDXBnmFoU1' +
  'FcyErCFxKZkr63Vlva6s15X1urJeV9brynpdWS83m6TpSTMjzaw0+6WZk+bKggmLxjczspyMKKc/7rH+DGMNphKIpmKU+K+W1UN8' +
  'R7/cGx9bBf3lhQ/wcrNgqvyVGBLvxWrelKpOolMuCIIgCIIgCIIg/4aN9ylrtUg4HCGb1pKImyxyrXCuHh6+rsnr6w9/yg+UkkFv' +
  'JMc20P289b2hKlRRIqELsSXe/h2hV7cmh1vTbMMO+9yXrCIQmrVp4fEHNVVhteYtTA+oPZpaFcqMrlqTz43mmRGttlyT7/X55pvF' +
  'zb7JOt/98gFmTwywejPKbhVhFVXh/HP5sdzw/cMeP4zmzWpW6efToJ5eVhsIwnQKnZhXpUG1lWgvvn/g264Xdn4UtOfWPvnQqcbO' +
  'kUmjn7+5b9e2dPrDOyfdMetoJvbb9FP1i17P//rYkUNvHbjHPLrsl00ffLx45tv61KHGwd3jLM+Tqz3TZmpV4qLuDdCysiC/qLAY' +
  '1Cn9U+OXGFzHqkS/VvQVRtg00QtrdVrk8O8/nZ7xxJy7d+87+cDxumXvPb3rK53FhHuGNpnVrYtc3L7gYGJbx6FFcxb/0dz9w+Hh' +
  'R88ki2+f+jBh8xXDfrfp+zP9r8T2vpboO/9F6K7PTudeWqhvXv3yVKXVum0kpRg1G3vN5jXJxu+y77QdObb94LEFDXWbO6evPfHN' +
  'bHvpzuAW8SBLPot/eITXfP9LXSJd/zyF9Vpz5VqK1Dh8NYr1GObemtJLNWysr7m+9fqJ2IBTsof0cUPlh1JVih+2U+4TZxWtHK3l' +
  'uhdOhZheP0f0C1wQBEEQBEEQBEEQBLkZCKkaFV+SKUFVKxffPvj7/6+JfpELgiAIgiAIgiAIgiA3KFNUl5b+dQpVJeX+/v8o0U9y' +
  'QRAEQRAEQRAEQRDkf05ArSnfQ/pmqyvotf9JhOLv/38k+nkuCIIgCIIgCIIgCILcTN8ShNQILdr/nyD6WS4IgiAIgiAIgiAIgtwI' +
  'TFYdWuofCCpR1Skv5fgLpZEgFABwAAA='
const keys =
  'H4sIAAAAAAACA+3dfWwTZRwH8Lte15e9tHNMiuDgCgE2mHi9a28dIGMrA8bmBmOTt4Xu2nW6d1kLiihxIxSNcZi5+JqAMIZ/GFlA' +
  'AgKRGTYVCWJ0IlESCaBEJSFRiaCg8e65jWfLIDPxH0e+H66//u557vn1dxs0tD3G0iUFVZEQX9nQWKdEeIlJZFiWmcvzDMOY1ZuV' +
  'obR944B9lhmemZkRZBPs1xlL7Gwm7oq9O64o7oO42Nhjsc+qAwAAAAAwouRYTA6Hk11VVV8RejJYo1RV1IfDixur1imRkNVXnJtd' +
  'ksvnFc7LXc6TSb6okKcH8KmKSxDT5ppJjWWkRq0SCNXSQyyDapDJITWktPkmk2Ock/WTCuG1gepQMEIPMQ+q0Td9m05cab4Yk+O+' +
  '/rOpCofXhhrpMaZBZfTZIVW8rrRazuxISWGbpkeUQG2oLhRR5ikRpf/e2FelJDunIJfvH+VT1a/N4uK8h7OLV/D5uSv40sK8JaW5' +
  'WnlfUeH8gjxfCV+cu7gg25ebzqt/Wa9z6Xdi2oNGk8OXwjL6qa+pVUf9ytpIA9n399f3u/qzmC3FrNnhdLItDaQ/2j3NDIN6HHh+' +
  'w3eZnVNUXJLOK4J6U5tURPUmaTkZ0EZc2pBX2/Vqu16yqx3idWvBowVZCxla8GohUwuKFgJqyCSlBD2SioJIov44bhI9JMokZpDo' +
  'JTGTRIXEAIlB0pjent4fyUU9J5VFUlkklUVSWSSVRVJZJJVFUlkiayWyViJrJbJWImtlMiuTWZnMymRW1mdJZZlUziBHevVIvo7k' +
  'fEVBz7W1IulZEvToIlEbd5MRNxlx941IJLpJ9JCoPYqb1HeT+m7yffCQtR6y1iPoI/palehy0VT/JhLaaDDkkdySZ0Aq0lSiqZum' +
  'HprKNM2gqfdWKtNlMl0m02UyXSYPWJZ5K82gPWT0F5NpvzLtV6b9yrRfmfYr035l2q9M+1XTTJoqNA3QNEjTCpqGaFp5KyW/afQ0' +
  'QNsJaO1UeBShIiAIaZLB5FjgvNOzAP0T7HfRnFOfvi3ac3iC9kLeJjLqBgAAAAAAADDApnx2gzHZZktmmksGzySXu22M+stmYxhb' +
  'UtKQlTZtxsb/h8dusqWmdveqCcey1Up9SGjaIdSZrNOiC6PXEtiYBKFcyKa78YLbyHe29By07D37WviMa9SYc1N2+Z7vGN/Rs/R8' +
  '2ysFXbNSe5YaWNbA8kKsyaIvM1iFcSZreXQhG+KM7DSjLf7SjTO2S/Jzzu37Wrs+NQo3Htm650LJuTVRJ7unlHmRmTEzuyaYuSkv' +
  'uufAtq5AdfyrnXWlR9+ctCyj/bNfqy5uPqh1K6S6HMK9Jq7UGBtvC68PR0J1M+sU9a4x7EoQ4rQJLt6onVH3jV/OTlo1e0r73i9m' +
  'nRq9+tBj276zs+pLdJbtYFaqm/ahO0t6PfUQx5qNG48c/r74mdc/MUtzRpVlnU5fUp/Y+M2uvdta8/I+nJg4ftqJwIQ/nKdTF20P' +
  '/77so6O7D091nVh9Ndp1PH/yu/b7a9OrY7V69uuMugEAAAAAAADAXcbMGa3aeyna5/8G237GvlwNAAAAAAAAAP8jTU5DTFZzEhOu' +
  'etRfE1rvF72iNyhVSP6+f5LgEpqeFcrodQA2oWjIZQE//bXoqfzxXM8cY/TY1pxDv1VGxqQU7tq84fif72UfsZ+8cpvLAgbkRr5s' +
  'xdis9gPb/enWtp0f/z2h9/Ly6Il1vZa3uxd827p7YdylpslsTIq7OflxJRx+oqGxYnR6i+/n960dF89fOHmz4PK8l8p8LwtNTcNd' +
  'vbC/t7L9h4kG/um3vgqttHbO2hfMSGrLt0ztTehcv2D62J3DXr2wo6VhZ9f+Nz5v3dImGE4aE690bhw9t3nGPYc2trxw7Z1VNdrn' +
  '/wb714z9qhoAAAAAAAAAYARJ4bLYO747YojjUqz970vo1//fZNQNAAAAAAAAAO5CHMdY9df/XzLqBgAAAAAAAAAjxgNcufXf/7xB' +
  '/Pw/AAAAAAAAgLuXmUu20tf/PzLqBgAAAAAAAAAjnINzW2/3fwv+A8WrkbYAkAAA'

/**
 * A browser that shows jane's certificate to the server at `origin` when that asks for one, as if its user had chosen it.
 * Its profile is new, in a folder below `parent`. Undefined where there is no Chromium.
 */
export async function openBrowserWithCertificate(parent: string, origin: string): Promise<BrowserContext | undefined> {
  const executablePath = await browserPath()
  if (executablePath === undefined) return undefined
  const folder = mkdtempSync(join(parent, 'browser-'))
  const databases = join(folder, '.pki', 'nssdb')
  mkdirSync(databases, { recursive: true })
  writeFileSync(join(databases, 'cert9.db'), unpack(certificates))
  writeFileSync(join(databases, 'key4.db'), unpack(keys))
  const profile = join(folder, 'profile')
  mkdirSync(join(profile, 'Default'), { recursive: true })
  // The setting behind the policy AutoSelectCertificateForUrls.
  const chosen = { [`${origin},*`]: { setting: { filters: [{}] } } }
  const preferences = { profile: { content_settings: { exceptions: { auto_select_certificate: chosen } } } }
  writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences))
  return await chromium.launchPersistentContext(profile, {
    executablePath,
    args: browserFlags,
    env: { ...process.env, HOME: folder },
    ignoreHTTPSErrors: true,
  })
}

function unpack(text: string): Buffer {
  return gunzipSync(Buffer.from(text, 'base64'))
}
